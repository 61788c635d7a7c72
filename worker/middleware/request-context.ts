import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../app-env.ts";
import { createRequestContext } from "../context.ts";

/** @throws Error when a setting is missing */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  c.set("context", createRequestContext(c.req.raw, c.env));
  await next();
});
