import type { RequestHandler, ServerBuild } from "@remix-run/cloudflare";
import { matchPath } from "@remix-run/react";
import type { Handler } from "hono";
import type { AppEnv } from "../app-env.ts";
import { databaseRefusal } from "../db/retries.ts";
import { requestLogOf } from "../log.ts";
import { requireOwnOrigin } from "../middleware/same-site.ts";
import { findFormerRoutes } from "./former-routes.ts";
import { createPageContext } from "./page-context.ts";

export function createPages({ routes, assets }: ServerBuild, handle: RequestHandler): Handler<AppEnv> {
  const patternOf = createPagePatterns(routes);
  return async (c) => {
    const request = c.req.raw;
    const { pathname } = new URL(request.url);
    requestLogOf(request).route = patternOf(pathname);
    if (pathname.endsWith(".data") && isPrefetch(request)) return new Response(null, { status: 204 });
    const context = c.get("context");
    const own = requireOwnPage(request, context.services.settings.origin);
    const answer = async (asked: Request) =>
      withRefusal(await handle(asked, createPageContext(context, { nonce: c.get("nonce") })));
    const former =
      pathname === "/__manifest" ? await findFormerRoutes(own, assets.version, c.env.ASSETS, answer) : null;
    return former ?? answer(own);
  };
}

/** If a page failed because the database refused a query, gives it the status and the `Retry-After` of that refusal. */
function withRefusal(page: Response): Response {
  const refusal = page.status < 500 ? null : databaseRefusal();
  if (refusal === null) return page;
  const response = new Response(page.body, { status: refusal.status, headers: page.headers });
  const { retryAfterSeconds } = refusal.details;
  if (typeof retryAfterSeconds === "number") response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}

/** Whether a request is a prefetch (Fetch standard, Sec-Purpose), which is useless for `no-store` page data. */
function isPrefetch({ headers }: Request): boolean {
  return headers.get("sec-purpose")?.startsWith("prefetch") ?? false;
}

/**
 * Refuses requests of other sites. Checks all methods that Remix does not treat as safe, including HEAD and OPTIONS.
 * Removes the headers of Remix's own cross-site check, which throws on malformed values.
 * @throws AppError CROSS_SITE
 */
function requireOwnPage(request: Request, origin: string): Request {
  if (request.method === "GET") return request;
  requireOwnOrigin(request, origin);
  const headers = new Headers(request.headers);
  headers.delete("origin");
  headers.delete("x-forwarded-host");
  return new Request(request, { headers });
}

/** Finds a path's pattern, such as `/download/:downloadId`; `*` for no page. A `.data` path has its page's pattern. */
function createPagePatterns(routes: ServerBuild["routes"]): (pathname: string) => string {
  const patterns = listPagePatterns(routes);
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "");
    return patterns.find((pattern) => matchPath(pattern, path === "/_root" ? "/" : path)) ?? "*";
  };
}

/** Lists the patterns of all pages, patterns without parameters first. */
export function listPagePatterns(routes: ServerBuild["routes"]): string[] {
  const patterns = Object.values(routes).flatMap((route) => {
    if (route.id === "root" || route.path === "*") return [];
    return [`/${segmentsOf(routes, route.id).join("/")}`];
  });
  return patterns.sort((a, b) => Number(a.includes(":")) - Number(b.includes(":")));
}

function segmentsOf(routes: ServerBuild["routes"], id: string): string[] {
  const route = routes[id];
  if (!route) return [];
  const parent = route.parentId === undefined ? [] : segmentsOf(routes, route.parentId);
  return route.path === undefined || route.path === "" ? parent : [...parent, route.path];
}
