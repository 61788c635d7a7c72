import { setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { AppError } from "#domain/errors.ts";
import { isV1 } from "#domain/v1/call.ts";
import type { AppEnv } from "../app-env.ts";
import { createRequestContext, type ResponseCookie } from "../context.ts";
import { answerInSession } from "../db/replicas.ts";
import { answerCaller } from "../db/retries.ts";
import { requestLogOf, withRequestLog } from "../log.ts";
import { SentBody } from "../sending/sent-body.ts";
import { findSettings } from "../services.ts";

export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  await withRequestLog(c.req.raw, async () => {
    requestLogOf(c.req.raw).route = matchedRoutes(c).findLast(({ method }) => method !== "ALL")?.path ?? "*";
    await next();
    return c.res;
  });
});

/** Redirects GET and HEAD to https; rejects other methods before reading the body. @throws AppError HTTPS_REQUIRED */
export const requireHttps = createMiddleware<AppEnv>(async (c, next) => {
  const origin = findSettings(c.env)?.origin ?? "";
  const { protocol, pathname, search } = new URL(c.req.url);
  if (protocol !== "http:" || !origin.startsWith("https:")) {
    await next();
    return;
  }
  if (c.req.raw.method !== "GET" && c.req.raw.method !== "HEAD") throw new AppError("HTTPS_REQUIRED");
  return new Response(null, { status: 308, headers: { location: `${origin}${pathname}${search}` } });
});

/** Delivers an error's message to a client that is still sending its body, by reading the rest of the body. */
export const hearRefusals = createMiddleware<AppEnv>(async (c, next) => {
  const body = new SentBody(c.req.raw);
  c.set("body", body);
  await next();
  if (c.res.status < 400) return;
  const heard = await body.refuse(c.res);
  // Clears the response first, because Hono would merge the headers of both.
  c.res = undefined;
  c.res = heard;
});

/**
 * Uses one D1 session per request, so that a replica shows users all that they have written. The primary answers
 * `/api/v1`, because programs keep no cookie with the bookmark of their last change.
 */
export const databaseSession = createMiddleware<AppEnv>(async (c, next) => {
  if (isV1(c.req.path)) return answerCaller(next);
  const answer = async () => {
    await next();
    return c.res;
  };
  const response = await answerInSession(c.env.DB, c.req.raw, () => answerCaller(answer));
  if (response === c.res) return;
  // Clears the response first, because Hono would merge the headers of both.
  c.res = undefined;
  c.res = response;
});

/** @throws Error when a setting is missing */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  const cookies: ResponseCookie[] = [];
  const context = createRequestContext(c.req.raw, c.env, (cookie) => cookies.push(cookie));
  c.set("context", context);
  await next();
  // A WebSocket's response cannot be changed.
  if (c.res.webSocket) return;
  const secure = context.services.settings.origin.startsWith("https:");
  const answered = c.res.headers.getSetCookie();
  for (const { name, value, path, maxAgeSeconds: maxAge } of cookies) {
    // A renewed session cookie must not replace the session cookie that the handler has set or removed.
    if (answered.some((cookie) => cookie.startsWith(`${name}=`))) continue;
    setCookie(c, name, value, { httpOnly: true, sameSite: "Lax", secure, path, maxAge });
  }
});
