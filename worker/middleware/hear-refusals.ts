import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { SentBody } from "../sending/sent-body.ts";

/** The words of a refusal reach a sender whose body is still on its way. */
export const hearRefusals = createMiddleware<AppEnv>(async (c, next) => {
  const body = new SentBody(c.req.raw);
  c.set("body", body);
  await next();
  if (c.res.status < 400) return;
  const heard = await body.refuse(c.res);
  // Hono would merge headers into the existing response.
  c.res = undefined;
  c.res = heard;
});
