import type { RouteEntry } from "./load-route-module.ts";

/**
 * The same where nobody has asked for the page, only rested on its link: what does not come is no fault. Remix has the
 * browser preload these very scripts, so they are not fetched first.
 */
export async function loadRouteModule({ id, module }: RouteEntry, loaded: Record<string, unknown>): Promise<unknown> {
  try {
    loaded[id] ??= await import(/* @vite-ignore */ module);
    return loaded[id];
  } catch {
    return {};
  }
}
