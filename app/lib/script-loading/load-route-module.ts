import { fetchThenImport, ScriptUnavailableError } from "./scripts.ts";

export interface RouteEntry {
  id: string;
  module: string;
  imports?: string[];
}

/**
 * Replaces Remix's function of this name, which reloads the page after every failure and so would end a running upload.
 * Still reloads when the server answers: either a newer release has removed the module or the browser has cached a
 * failed import, and only a new document helps.
 * @throws ScriptUnavailableError when the network fails, so that the error page offers a retry
 */
export async function loadRouteModule(
  { id, module, imports = [] }: RouteEntry,
  routeModules: Record<string, unknown>,
): Promise<unknown> {
  try {
    routeModules[id] ??= await fetchThenImport([module, ...imports], () => import(/* @vite-ignore */ module));
    return routeModules[id];
  } catch (error) {
    if (error instanceof ScriptUnavailableError) throw error;
    location.reload();
    return new Promise(() => undefined);
  }
}
