import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import pdfjs from "pdfjs-dist/package.json" with { type: "json" };

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Puts what pdf.js fetches for some documents beside the pages' own assets: character maps, fonts, colour profiles and
 * decoders. The version is in the address, since browsers keep it for ever.
 */
function pdfData(): Plugin {
  return {
    name: "pdf-data",
    apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
    generateBundle() {
      for (const path of globSync(
        "node_modules/pdfjs-dist/{cmaps/*.bcmap,iccs/*.icc,standard_fonts/*.{pfb,ttf},wasm/*.wasm}",
      )) {
        const fileName = `assets/pdfjs-${pdfjs.version}/${basename(dirname(path))}/${basename(path)}`;
        this.emitFile({ type: "asset", fileName, source: readFileSync(path) });
      }
    },
  };
}

const OWN_SCRIPTS = ["scripts", "load-route-module", "prefetch-route-module"].map((name) =>
  resolve(`app/lib/script-loading/${name}.ts`),
);
const [SCRIPTS, LOAD_ROUTE_MODULE, PREFETCH_ROUTE_MODULE] = OWN_SCRIPTS;

/** Has the pages load scripts in our own way, on which a line that is gone for a moment leaves no trace (app/lib/script-loading/scripts.ts). */
function ownLoading(): Plugin {
  return {
    name: "own-loading",
    enforce: "pre",
    resolveId(source, importer) {
      if (source !== "./routeModules.js" || !importer?.includes("/@remix-run/react/")) return null;
      return importer.endsWith("/links.js") ? PREFETCH_ROUTE_MODULE : LOAD_ROUTE_MODULE;
    },
    transform(code, id) {
      if (!id.endsWith("vite/preload-helper.js")) return null;
      return `import { fetchThenImport } from ${JSON.stringify(SCRIPTS)};
        ${code.replace("export const __vitePreload =", "const preload =")};
        export function __vitePreload(load, paths = [], importer) {
          return fetchThenImport(paths.map((path) => assetsURL(path, importer)), () => preload(load, paths, importer));
        }`;
    },
  };
}

/** What every page runs on lies in one file, which a new release of ours leaves as it is. */
const FRAMEWORK = /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run|@tanstack)\//;

/**
 * The modules of the page around every page, which come in one file, too: some of them are shared with one page, some with
 * another, and Rollup would make a file for each such set. Icons come one by one, through an index of all there are.
 */
function shellOf(getModuleInfo: (id: string) => { importedIds: readonly string[] } | null): Set<string> {
  const shell = new Set<string>();
  const add = (id: string) => {
    if (shell.has(id) || FRAMEWORK.test(id) || id.includes("/lucide-react/")) return;
    shell.add(id);
    getModuleInfo(id)?.importedIds.forEach(add);
  };
  add(`${resolve("app/root.tsx")}?__remix-build-client-route`);
  return shell;
}

/** The Worker has these as well: it bundles them once, for the pages and for itself. */
const SHARED = /^#(domain|messages)\//;

let shell: Set<string> | undefined;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    pdfData(),
    ownLoading(),
    remix({
      appDirectory: "app",
      buildDirectory: "build",
      future: {
        v3_fetcherPersist: true,
        v3_lazyRouteDiscovery: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
      },
    }),
  ],
  resolve: { mainFields: ["browser", "module", "main"] },
  ssr: {
    // Bundled here, what is unused of them is left out of the Worker.
    noExternal: [/^@radix-ui\//, "@tanstack/react-query", "lucide-react"],
    resolve: { conditions: ["workerd", "worker", "browser", "module", "import"] },
  },
  build: {
    assetsInlineLimit: 0,
    // The styles' light-dark() asks for newer browsers than this.
    target: "es2022",
    rollupOptions:
      isSsrBuild === true
        ? { external: SHARED }
        : {
            output: {
              manualChunks: (id, { getModuleInfo }) => {
                if (FRAMEWORK.test(id) || OWN_SCRIPTS.includes(id)) return "framework";
                shell ??= shellOf(getModuleInfo);
                return shell.has(id) ? "shell" : undefined;
              },
            },
          },
  },
}));
