import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { ApiEnv } from "../api/env.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses unsafe requests that another site's page has sent. A client that is no browser sends no Origin. */
export const sameSite = createMiddleware<ApiEnv>(async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) requireOwnOrigin(c.req.raw, c.get("context").services.settings.origin);
  await next();
});

/**
 * Checks the Origin header against the configured origin and the request's own.
 * @throws AppError CROSS_SITE
 */
export function requireOwnOrigin(request: Request, origin: string): void {
  const sender = request.headers.get("origin");
  if (sender === null || sender === origin || sender === new URL(request.url).origin) return;
  throw new AppError("CROSS_SITE");
}
