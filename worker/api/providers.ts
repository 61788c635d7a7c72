import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { providerQuery } from "#domain/wire.ts";
import { connectAccount, disconnectAccount, enterByProvider, listProviders } from "../accounts/providers/enter.ts";
import { beginVisit, endVisit, findProvider, identify } from "../accounts/providers/visit-provider.ts";
import { readVisit } from "../accounts/visit.ts";
import type { AppEnv } from "../app-env.ts";
import { parse, requireConfirmedUser } from "./input.ts";

/** Where somebody goes after they connected a provider. */
const SECURITY_PAGE = "/account/security";

/** Signing in by other providers. Below `/api/auth`. */
export const providerRoutes = new Hono<AppEnv>()
  .get("/provider/:name", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const provider = findProvider(services, c.req.param("name"));
    const { returnTo } = parse(providerQuery, c.req.query());
    try {
      await enforceRateLimit("provider");
      const purpose = { userId: null, returnTo };
      const { url, cookie } = await beginVisit(services, provider, purpose, c.req.raw.headers, Date.now());
      return go(c, url, [cookie]);
    } catch (error) {
      return goWithError(c, "/login", error);
    }
  })
  .get("/provider/:name/callback", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const provider = findProvider(services, c.req.param("name"));
    const callback = new URL(c.req.url);
    let errorPage = "/login";
    try {
      await enforceRateLimit("provider");
      const visit = await endVisit(services, provider, callback, c.req.raw.headers, Date.now());
      // The person has cancelled there (RFC 6749, 4.1.2.1), and knows it.
      if (callback.searchParams.get("error") === "access_denied") return go(c, visit.returnTo ?? "/login", []);
      if (visit.userId !== null) errorPage = SECURITY_PAGE;
      const identity = await identify(services, provider, callback, visit, Date.now());
      if (visit.userId !== null) {
        const user = await c.get("context").currentUser();
        // Somebody else has signed in meanwhile.
        if (user?.id !== visit.userId) throw new AppError("PROVIDER_REFUSED");
        await connectAccount(services, provider, identity.sub, user, readVisit(c.req.raw), Date.now());
        return go(c, SECURITY_PAGE, []);
      }
      const mayRegister = () => enforceRateLimit("register");
      const now = Date.now();
      const result = await enterByProvider(services, provider, identity, readVisit(c.req.raw), mayRegister, now);
      if (result.kind === "session") return go(c, visit.returnTo ?? "/dashboard", result.cookies);
      return go(c, secondFactorPage(result.methods, visit.returnTo), result.cookies);
    } catch (error) {
      return goWithError(c, errorPage, error);
    }
  })
  .get("/providers", async (c) => {
    const { services, currentUser } = c.get("context");
    return c.json(await listProviders(services, await currentUser()));
  })
  .post("/providers/:name/link", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    const provider = findProvider(services, c.req.param("name"));
    await enforceRateLimit("provider");
    const purpose = { userId: user.id, returnTo: SECURITY_PAGE };
    const { url, cookie } = await beginVisit(services, provider, purpose, c.req.raw.headers, Date.now());
    c.header("set-cookie", cookie, { append: true });
    return c.json({ url });
  })
  .delete("/providers/:name", async (c) => {
    const { services } = c.get("context");
    const user = await requireConfirmedUser(c);
    await disconnectAccount(services, c.req.param("name"), user, readVisit(c.req.raw), Date.now());
    return c.json({ message: "The provider is no longer connected." });
  });

function secondFactorPage(methods: readonly string[], returnTo: string | null): string {
  const search = new URLSearchParams({ secondFactor: methods.join(","), ...(returnTo === null ? {} : { returnTo }) });
  return `/login?${search.toString()}`;
}

/** People come here by navigation, so they are sent to a page that tells them. @throws what is no `AppError` */
function goWithError(c: Context<AppEnv>, page: string, error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  return go(c, `${page}?error=${error.code}`, []);
}

function go(c: Context<AppEnv>, address: string, cookies: readonly string[]): Response {
  for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
  c.header("cache-control", "no-store");
  return c.redirect(address, 302);
}
