import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Checks only methods that may change something. */
export const sameSite = createMiddleware<AppEnv>(async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) requireOwnOrigin(c.req.raw, c.get("context").services.settings.origin);
  await next();
});

/**
 * `Origin` must be the configured origin or the request's own. Browsers omit `Origin` from some requests, so unsafe
 * methods also check `Sec-Fetch-Site` (Fetch Metadata, 2.4). Browsers send one of the two. @throws AppError CROSS_SITE
 */
export function requireOwnOrigin(request: Request, origin: string): void {
  const sender = request.headers.get("origin");
  const hasOwnOrigin = sender === origin || sender === new URL(request.url).origin;
  if (sender !== null && !hasOwnOrigin) throw new AppError("CROSS_SITE");
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  const isOwn = site === null || site === "same-origin" || site === "none";
  // Another host of our domain is same-site, but is not ours.
  if (!isOwn && !(site === "same-site" && hasOwnOrigin)) throw new AppError("CROSS_SITE");
}
