import { createMiddleware } from "hono/factory";
import { AppError } from "#domain/errors.ts";
import type { AppEnv } from "../app-env.ts";
import { findSettings } from "../services.ts";

/** Redirects GET and HEAD to https; rejects other methods before reading the body. @throws AppError HTTPS_REQUIRED */
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
