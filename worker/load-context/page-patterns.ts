import type { ServerBuild } from "@remix-run/cloudflare";
import { matchPath } from "@remix-run/react";

/** Finds a path's pattern, such as `/download/:downloadId`; `*` for no page. A `.data` path has its page's pattern. */
export function createPagePatterns(routes: ServerBuild["routes"]): (pathname: string) => string {
  const patterns = listPagePatterns(routes);
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "");
    return patterns.find((pattern) => matchPath(pattern, path === "/_root" ? "/" : path)) ?? "*";
  };
}

/** Patterns without parameters first. */
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
