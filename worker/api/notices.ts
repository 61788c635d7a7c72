import type { Context } from "hono";
import type { NOTICE_CALLS } from "#domain/calls/notices.ts";
import type { PROVEN_CALLS } from "#domain/calls/proven.ts";
import { AppError } from "#domain/errors.ts";
import { unsubscribeForm } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { changeNotices, readNotices, changeStops, readStops } from "../notices/choices.ts";
import { parse, readText } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const noticeHandlers: Handlers<typeof NOTICE_CALLS> = {
  "GET /api/notices": ({ services, user }) => readNotices(services, user),
  "PATCH /api/notices": ({ services, user, body }) => changeNotices(services, user, body),
  "GET /api/unsubscribe/:token": ({ services, params }) => readStops(services, params.token),
  "POST /api/unsubscribe/:token": ({ services, params, body, now }) =>
    changeStops(services, params.token, body.what, now),
};

const FORM_MAX_BYTES = 4096;
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

export const unsubscribeHandlers: Pick<Handlers<typeof PROVEN_CALLS>, "POST /unsubscribe/:token"> = {
  "POST /unsubscribe/:token": async ({ c, services, params: { token } }) => {
    const form = parse(unsubscribeForm, await readForm(c));
    await changeStops(services, token, "what" in form ? form.what : "sender", Date.now());
    return "what" in form ? c.redirect(`/unsubscribe/${token}`, 303) : c.text("You get no more mail like this.\n");
  },
};

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
