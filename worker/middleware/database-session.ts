import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { answerInSession } from "../db/replicas.ts";

/** Runs every query of a request in one D1 session, so that a replica never shows a person less than they have written. */
export const databaseSession = createMiddleware<AppEnv>(async (c, next) => {
  const response = await answerInSession(c.env.DB, c.req.raw, async () => {
    await next();
    return c.res;
  });
  if (response === c.res) return;
  // Hono merges headers into an existing response; this one has them all.
  c.res = undefined;
  c.res = response;
});
