import { setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { createRequestContext, type ResponseCookie } from "../context.ts";

/** @throws Error when a setting is missing */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  const cookies: ResponseCookie[] = [];
  const context = createRequestContext(c.req.raw, c.env, (cookie) => cookies.push(cookie));
  c.set("context", context);
  await next();
  // A WebSocket's response cannot be changed.
  if (c.res.webSocket) return;
  const secure = context.services.settings.origin.startsWith("https:");
  for (const { name, value, path, maxAgeSeconds: maxAge } of cookies) {
    setCookie(c, name, value, { httpOnly: true, sameSite: "Lax", secure, path, maxAge });
  }
});
