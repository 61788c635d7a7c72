/**
 * Stands in for Remix's own loading of a route's module (vite.config.ts), which reloads the page whatever is wrong. Where
 * the line is gone that ends in the browser's error page, and with it the upload that may be on its way here: so the route
 * fails instead, and can be tried again. A browser remembers a module that it could not import for as long as the document
 * lives, so what is needed is fetched first, and imported once it is at hand. The document comes anew where a newer
 * release has taken something away.
 * @throws TypeError when nothing answers
 */
export async function loadRouteModule(
  { id, module, imports = [] }: { id: string; module: string; imports?: string[] },
  loaded: Record<string, unknown>,
): Promise<unknown> {
  if (id in loaded) return loaded[id];
  const found = await Promise.all([module, ...imports].map(isThere));
  if (!found.every(Boolean)) return comeAnew();
  try {
    loaded[id] = await import(/* @vite-ignore */ module);
    return loaded[id];
  } catch {
    return comeAnew();
  }
}

async function isThere(path: string): Promise<boolean> {
  const response = await fetch(path);
  // Read to its end, it is kept.
  await response.arrayBuffer();
  return response.ok;
}

function comeAnew(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}
