import { fetchThenImport, OfflineError } from "./scripts.ts";

/** A route's scripts as Remix's manifest has them. */
export interface RouteEntry {
  id: string;
  module: string;
  imports?: string[];
}

/**
 * Stands in for Remix's own loading of a route's module (vite.config.ts), which reloads the page whatever is wrong. Where
 * the line is gone that ends in the browser's error page, and with it the upload that may be on its way here: so the route
 * fails instead, and can be tried again. Where the server answers, a newer release has taken the module away, or the
 * browser remembers that it could not import it, and the document has to come anew.
 * @throws OfflineError when nothing answers
 */
export async function loadRouteModule(
  { id, module, imports = [] }: RouteEntry,
  loaded: Record<string, unknown>,
): Promise<unknown> {
  try {
    loaded[id] ??= await fetchThenImport([module, ...imports], () => import(/* @vite-ignore */ module));
    return loaded[id];
  } catch (error) {
    if (error instanceof OfflineError) throw error;
    location.reload();
    return new Promise(() => undefined);
  }
}
