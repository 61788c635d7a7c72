import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Rejects cross-site requests with a method that may change something. */
export const sameSite = createMiddleware<AppEnv>(async (c, next) => {
  if (!SAFE_METHODS.has(c.req.method)) requireOwnOrigin(c.req.raw, c.get("context").services.settings.origin);
  await next();
});

/**
 * Rejects a request that another site's page has sent. `Origin` must be the configured origin or the request's own. For
 * unsafe methods `Sec-Fetch-Site` must not name another site either (Fetch Metadata Request Headers, section 2.4):
 * browsers leave `Origin` out of some requests. A client that sends neither header is not a browser.
 * @throws AppError CROSS_SITE
 */
export function requireOwnOrigin(request: Request, origin: string): void {
  const sender = request.headers.get("origin");
  const hasOwnOrigin = sender === origin || sender === new URL(request.url).origin;
  if (sender !== null && !hasOwnOrigin) throw new AppError("CROSS_SITE");
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers.get("sec-fetch-site");
  const isOwn = site === null || site === "same-origin" || site === "none";
  // Another host of this domain shares the site and is not ours.
  if (!isOwn && !(site === "same-site" && hasOwnOrigin)) throw new AppError("CROSS_SITE");
}
