import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { answerInSession } from "../db/replicas.ts";

/** One D1 session per request: a replica never shows users less than they have written. */
export const databaseSession = createMiddleware<AppEnv>(async (c, next) => {
  const response = await answerInSession(c.env.DB, c.req.raw, async () => {
    await next();
    return c.res;
  });
  if (response === c.res) return;
  // Hono would merge headers into the existing response.
  c.res = undefined;
  c.res = response;
});
