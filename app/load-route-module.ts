/**
 * Stands in for Remix's own loading of a route's module (vite.config.ts), which reloads the page whatever is wrong. Where
 * the line is gone that ends in the browser's error page, and with it the upload that may be on its way here: so the route
 * fails instead, and can be tried again. Where the server answers, a newer release has taken the module away, or the
 * browser remembers that it could not import it, and the document has to come anew.
 * @throws TypeError when nothing answers
 */
export async function loadRouteModule(
  { id, module }: { id: string; module: string },
  loaded: Record<string, unknown>,
): Promise<unknown> {
  if (id in loaded) return loaded[id];
  // A failure is remembered for as long as the document lives: one that is certain is not tried.
  if (!navigator.onLine) throw new TypeError("There is no line.");
  try {
    loaded[id] = await import(/* @vite-ignore */ module);
    return loaded[id];
  } catch (error) {
    await fetch(module, { method: "HEAD", cache: "no-store" }).catch(() => {
      throw error;
    });
    location.reload();
    return new Promise(() => undefined);
  }
}
