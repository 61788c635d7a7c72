import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { ApiEnv } from "../api/env.ts";
import { requestLogOf } from "../log.ts";

/** Tells the log which call a request is, by the pattern of its path. */
export const nameRoute = createMiddleware<ApiEnv>(async (c, next) => {
  requestLogOf(c.req.raw).route = matchedRoutes(c).findLast(({ method }) => method !== "ALL")?.path ?? "*";
  await next();
});
