import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";
import { findSettings } from "../services.ts";

/**
 * Rejects plain HTTP where the site's own origin is https: links and passwords would be readable in transit. Redirects
 * GET and HEAD to the same path on https, and rejects other methods before the body is read.
 * @throws AppError HTTPS_REQUIRED
 */
export const requireHttps = createMiddleware<AppEnv>(async (c, next) => {
  const origin = findSettings(c.env)?.origin ?? "";
  const { protocol, pathname, search } = new URL(c.req.url);
  if (protocol !== "http:" || !origin.startsWith("https:")) {
    await next();
    return;
  }
  if (c.req.raw.method !== "GET" && c.req.raw.method !== "HEAD") throw new AppError("HTTPS_REQUIRED");
  return new Response(null, { status: 308, headers: { location: `${origin}${pathname}${search}` } });
});
