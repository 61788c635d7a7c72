import { createMiddleware } from "hono/factory";
import { isV1 } from "#domain/v1/call.ts";
import type { AppEnv } from "../app-env.ts";
import { answerInSession } from "../db/replicas.ts";

/**
 * One D1 session per request: a replica never shows users less than they have written. Programs keep no cookie with their
 * last change, so the primary answers `/api/v1`.
 */
export const databaseSession = createMiddleware<AppEnv>(async (c, next) => {
  if (isV1(c.req.path)) return next();
  const response = await answerInSession(c.env.DB, c.req.raw, async () => {
    await next();
    return c.res;
  });
  if (response === c.res) return;
  // Hono would merge headers into the existing response.
  c.res = undefined;
  c.res = response;
});
