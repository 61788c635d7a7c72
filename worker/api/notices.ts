import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { changeNoticesRequest, unsubscribeForm, unsubscribeRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { changeNotices, readNotices, changeStops, readStops } from "../notices/choices.ts";
import { readJson, requireUser, parse, readText } from "./input.ts";

/** What an account's owner wants to be mailed. */
export const noticeRoutes = new Hono<AppEnv>()
  .get("/", async (c) => c.json(await readNotices(c.get("context").services, await requireUser(c))))
  .patch("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await changeNotices(c.get("context").services, user, await readJson(c, changeNoticesRequest)));
  });

const FORM_MAX_BYTES = 4096;
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The token in the address is all that these calls need. GET changes nothing: programs that scan mails follow links. */
export const unsubscribeRoutes = new Hono<AppEnv>()
  .get("/:token", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    await enforceRateLimit("unsubscribe");
    return c.json(await readStops(services, c.req.param("token")));
  })
  .post("/:token", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { what } = await readJson(c, unsubscribeRequest);
    await enforceRateLimit("unsubscribe");
    return c.json(await changeStops(services, c.req.param("token"), what, Date.now()));
  });

/** What mail programs post (RFC 8058), and the page's form without scripts. */
export const unsubscribePostRoutes = new Hono<AppEnv>().post("/:token", async (c) => {
  const { services } = c.get("context");
  const token = c.req.param("token");
  const form = parse(unsubscribeForm, await readForm(c));
  await changeStops(services, token, "what" in form ? form.what : "sender", Date.now());
  return "what" in form ? c.redirect(`/unsubscribe/${token}`, 303) : c.text("You get no more mail like this.\n");
});

async function readForm(c: Context<AppEnv>): Promise<Record<string, string>> {
  const type = c.req.header("content-type") ?? "";
  if (!FORM_TYPE.test(type)) throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  const text = await readText(c.req.raw, FORM_MAX_BYTES);
  try {
    const form = await new Response(text, { headers: { "content-type": type } }).formData();
    return Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
  } catch {
    throw new AppError("BAD_REQUEST", { message: "The body is not a form." });
  }
}
