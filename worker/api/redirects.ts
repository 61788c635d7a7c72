import { createMiddleware } from "hono/factory";
import { wantsBytes } from "#domain/programs.ts";
import { linkWithoutEnding } from "#domain/site-pages.ts";
import type { AppEnv } from "../app-env.ts";
import { urlForProgram } from "../downloads/url-for-program.ts";

/** Redirects a program that asks for a download page to the bytes, as in `curl -OJL LINK`. */
export const bytesForPrograms = createMiddleware<AppEnv>(async (c, next) => {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const downloadId = c.req.param("downloadId") ?? "";
  // An id that ends in `.data` is Remix's request for the page's data.
  if (!isRead || downloadId.endsWith(".data") || !wantsBytes((name) => c.req.header(name))) return next();
  c.header("cache-control", "private, no-store");
  c.header("referrer-policy", "no-referrer");
  return c.redirect(await urlForProgram(c.get("context"), downloadId, Date.now()), 302);
});

/**
 * Redirects a link that was pasted with text behind it to the link itself. The redirect makes no query, and counts no
 * download.
 */
export const pastedLinks = createMiddleware<AppEnv>(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const link = isRead ? linkWithoutEnding(pathname) : null;
  if (link === null) return next();
  c.header("cache-control", "private, no-store");
  c.header("referrer-policy", "no-referrer");
  return c.redirect(`${link}${search}`, 302);
});
