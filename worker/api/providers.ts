import type { Context } from "hono";
import type { PROVIDER_CALLS } from "#domain/calls/accounts.ts";
import { AppError } from "#domain/errors.ts";
import { providerQuery } from "#domain/wire.ts";
import { connectAccount, disconnectAccount, enterByProvider, listProviders } from "../accounts/providers/enter.ts";
import { beginVisit, endVisit, findProvider, identify } from "../accounts/providers/visit-provider.ts";
import type { AppEnv } from "../app-env.ts";
import { parse } from "./input.ts";
import type { Handlers } from "./mount.ts";

/** The page to which a person returns after they connected a provider. */
const SECURITY_PAGE = "/account/security";

export const providerHandlers: Handlers<typeof PROVIDER_CALLS> = {
  "GET /api/auth/provider/:name": async ({ c, context, services, params, visit }) => {
    const provider = findProvider(services, params.name);
    const { returnTo } = parse(providerQuery, c.req.query());
    try {
      await context.enforceRateLimit("provider");
      const purpose = { userId: null, returnTo };
      const { url, cookie } = await beginVisit(services, provider, purpose, visit.headers, Date.now());
      return go(c, url, [cookie]);
    } catch (error) {
      return goWithError(c, "/login", error);
    }
  },
  "GET /api/auth/provider/:name/callback": async ({ c, context, services, params, visit: from }) => {
    const provider = findProvider(services, params.name);
    const callback = new URL(c.req.url);
    let errorPage = "/login";
    try {
      await context.enforceRateLimit("provider");
      const visit = await endVisit(services, provider, callback, from.headers, Date.now());
      // The person has cancelled at the provider (RFC 6749, 4.1.2.1), so no error needs to be shown.
      if (callback.searchParams.get("error") === "access_denied") return go(c, visit.returnTo ?? "/login", []);
      if (visit.userId !== null) errorPage = SECURITY_PAGE;
      const identity = await identify(services, provider, callback, visit, Date.now());
      if (visit.userId !== null) {
        const user = await context.currentUser();
        // While the person was at the provider, another person signed in in this browser.
        if (user?.id !== visit.userId) throw new AppError("PROVIDER_REFUSED");
        await connectAccount(services, provider, identity.sub, user, from, Date.now());
        return go(c, SECURITY_PAGE, []);
      }
      const mayRegister = () => context.enforceRateLimit("register");
      const result = await enterByProvider(services, provider, identity, from, mayRegister, Date.now());
      if (result.kind === "session") return go(c, visit.returnTo ?? "/dashboard", result.cookies);
      return go(c, secondFactorPage(result.methods, visit.returnTo), result.cookies);
    } catch (error) {
      return goWithError(c, errorPage, error);
    }
  },
  "GET /api/auth/providers": async ({ context, services }) => listProviders(services, await context.currentUser()),
  "POST /api/auth/providers/:name/link": async ({ c, context, services, user, params, visit, now }) => {
    const provider = findProvider(services, params.name);
    await context.enforceRateLimit("provider");
    const purpose = { userId: user.id, returnTo: SECURITY_PAGE };
    const { url, cookie } = await beginVisit(services, provider, purpose, visit.headers, now);
    c.header("set-cookie", cookie, { append: true });
    return { url };
  },
  "DELETE /api/auth/providers/:name": ({ services, user, params, visit, now }) =>
    disconnectAccount(services, params.name, user, visit, now),
};

function secondFactorPage(methods: readonly string[], returnTo: string | null): string {
  const search = new URLSearchParams({ secondFactor: methods.join(","), ...(returnTo === null ? {} : { returnTo }) });
  return `/login?${search.toString()}`;
}

/** Redirects to a page that shows the error, because people navigate here. @throws any error that is no `AppError` */
function goWithError(c: Context<AppEnv>, page: string, error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  return go(c, `${page}?error=${error.code}`, []);
}

function go(c: Context<AppEnv>, address: string, cookies: readonly string[]): Response {
  for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
  c.header("cache-control", "no-store");
  return c.redirect(address, 302);
}
