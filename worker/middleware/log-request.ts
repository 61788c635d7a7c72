import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { AppEnv } from "../app-env.ts";
import { requestLogOf, withRequestLog } from "../log.ts";

export const logRequest = createMiddleware<AppEnv>(async (c, next) => {
  await withRequestLog(c.req.raw, async () => {
    requestLogOf(c.req.raw).route = matchedRoutes(c).findLast(({ method }) => method !== "ALL")?.path ?? "*";
    await next();
    return c.res;
  });
});
