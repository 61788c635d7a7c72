import { createMiddleware } from "hono/factory";
import { linkWithoutEnding } from "#domain/site-pages.ts";
import type { AppEnv } from "../app-env.ts";

/** Redirects a link that was pasted with something behind it to the link. Nothing is looked up, so nothing is counted. */
export const pastedLinks = createMiddleware<AppEnv>(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const link = isRead ? linkWithoutEnding(pathname) : null;
  if (link === null) return next();
  c.header("cache-control", "private, no-store");
  c.header("referrer-policy", "no-referrer");
  return c.redirect(`${link}${search}`, 302);
});
