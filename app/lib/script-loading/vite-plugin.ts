import { resolve } from "node:path";
import type { Plugin } from "vite";

const pathOf = (name: string) => resolve("app/lib/script-loading", name);
const SCRIPTS = pathOf("scripts.ts");
const LOAD_ROUTE_MODULE = pathOf("load-route-module.ts");
const PREFETCH_ROUTE_MODULE = pathOf("prefetch-route-module.ts");

export const SCRIPT_LOADING_MODULES = [SCRIPTS, LOAD_ROUTE_MODULE, PREFETCH_ROUTE_MODULE];

const PRELOAD_FUNCTION = "export const __vitePreload =";

/**
 * Replaces how Remix loads a route's scripts and how Vite loads an `import()`, so that a network failure never reloads
 * the page (decision 022). Fails the build when Remix or Vite no longer has the replaced code.
 */
export function scriptLoading(): Plugin {
  const replaced = new Set<string>();
  let isClientBuild = false;
  return {
    name: "script-loading",
    enforce: "pre",
    configResolved({ command, build }) {
      isClientBuild = command === "build" && build.ssr === false;
    },
    resolveId(source, importer) {
      if (source !== "./routeModules.js" || !importer?.includes("/@remix-run/react/")) return null;
      const replacement = importer.endsWith("/links.js") ? PREFETCH_ROUTE_MODULE : LOAD_ROUTE_MODULE;
      replaced.add(replacement);
      return replacement;
    },
    transform(code, id) {
      if (!id.endsWith("vite/preload-helper.js") || !code.includes(PRELOAD_FUNCTION)) return null;
      replaced.add(SCRIPTS);
      return `import { fetchThenImport } from ${JSON.stringify(SCRIPTS)};
        ${code.replace(PRELOAD_FUNCTION, "const preload =")};
        export function __vitePreload(load, paths = [], importer) {
          return fetchThenImport(paths.map((path) => assetsURL(path, importer)), () => preload(load, paths, importer));
        }`;
    },
    buildEnd(error) {
      const missing = SCRIPT_LOADING_MODULES.filter((path) => !replaced.has(path));
      if (!error && isClientBuild && missing.length > 0) {
        this.error(`Remix or Vite loads scripts in another way now; not used: ${missing.join(", ")}`);
      }
    },
  };
}
