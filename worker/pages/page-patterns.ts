import type { ServerBuild } from "@remix-run/cloudflare";

/**
 * Tells which page's pattern a path has, such as `/download/:downloadId`; `*` when it is none's. A loader's own address
 * (`.data`) has its page's.
 * @param routes Remix's route manifest
 */
export function createPagePatterns(routes: ServerBuild["routes"]): (pathname: string) => string {
  const patterns = listPagePatterns(routes).map((pattern) => ({ pattern, matches: matcherOf(pattern) }));
  return (pathname) => {
    const path = pathname.replace(/\.data$/, "").replace(/(?<=.)\/$/, "");
    return patterns.find(({ matches }) => matches.test(path === "/_root" ? "/" : path))?.pattern ?? "*";
  };
}

/** Every page's pattern, those without parameters first. */
export function listPagePatterns(routes: ServerBuild["routes"]): string[] {
  const patterns = Object.values(routes).flatMap((route) => {
    if (route.id === "root" || route.path === "*") return [];
    return [`/${pathsTo(routes, route.id).join("/")}`];
  });
  return patterns.sort((one, other) => Number(one.includes(":")) - Number(other.includes(":")));
}

function pathsTo(routes: ServerBuild["routes"], id: string): string[] {
  const route = routes[id];
  if (!route) return [];
  const above = route.parentId === undefined ? [] : pathsTo(routes, route.parentId);
  return route.path === undefined || route.path === "" ? above : [...above, route.path];
}

/** Remix matches paths whatever their case. */
function matcherOf(pattern: string): RegExp {
  const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+");
  return new RegExp(`^${source}$`, "i");
}
