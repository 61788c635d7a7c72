import { importRoute, type RouteEntry } from "./load-route-module.ts";

/** The same where nobody has asked for the page, only rested on its link: what does not come is no fault. */
export async function loadRouteModule(route: RouteEntry, loaded: Record<string, unknown>): Promise<unknown> {
  try {
    return await importRoute(route, loaded);
  } catch {
    return {};
  }
}
