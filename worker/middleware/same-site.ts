import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses requests of other sites. Checks only methods that may change something. */
export const sameSite = createMiddleware<AppEnv>(async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) requireOwnOrigin(c.req.raw, c.get("context").services.settings.origin);
  await next();
});

/**
 * `Origin` must be the configured origin or the request's own. Browsers omit `Origin` from some requests, so for
 * methods that may change something `Sec-Fetch-Site` (Fetch Metadata, 2.4) is checked, too. Browsers send at least one
 * of the two headers.
 * @throws AppError CROSS_SITE
 */
export function requireOwnOrigin(request: Request, origin: string): void {
  const sender = request.headers.get("origin");
  const hasOwnOrigin = sender === origin || sender === new URL(request.url).origin;
  if (sender !== null && !hasOwnOrigin) throw new AppError("CROSS_SITE");
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  const isOwn = site === null || site === "same-origin" || site === "none";
  // The header `Sec-Fetch-Site: same-site` alone is not enough, because another host of our domain may not be ours.
  if (!isOwn && !(site === "same-site" && hasOwnOrigin)) throw new AppError("CROSS_SITE");
}
