import type { RouteEntry } from "./load-route-module.ts";

/**
 * Replaces Remix's `loadRouteModule` for prefetching. Ignores failures, since nobody has asked for the page yet.
 * Imports without fetching first, because Remix preloads the same scripts with `<link rel="modulepreload">`.
 */
export async function loadRouteModule(
  { id, module }: RouteEntry,
  routeModules: Record<string, unknown>,
): Promise<unknown> {
  try {
    routeModules[id] ??= await import(/* @vite-ignore */ module);
    return routeModules[id];
  } catch {
    return {};
  }
}
