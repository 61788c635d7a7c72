import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import pdfjs from "pdfjs-dist/package.json" with { type: "json" };
import { SCRIPT_LOADING_MODULES, scriptLoading } from "./app/lib/script-loading/vite-plugin.ts";

declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * Copies the character maps, fonts, colour profiles and decoders that pdf.js fetches for some documents. Assets are
 * immutable, so the version is part of the path.
 */
function pdfAssets(): Plugin {
  return {
    name: "pdf-assets",
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

/** A chunk of its own: a new release does not change it, so browsers keep it cached. */
const FRAMEWORK =
  /node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run|@tanstack|get-nonce)\//;

/** Whoever loads one of them soon loads the others, and each chunk costs some hundred bytes. */
const FORMS = ["app/lib/form-errors.ts", "app/ui/form-field.tsx", "domain/field-messages.ts"].map((path) =>
  resolve(path),
);

/** With zod, which it imports. */
const SCHEMAS = resolve("domain/wire/checks.ts");

type GetModuleInfo = (id: string) => { importedIds: readonly string[] } | null;

/**
 * The root route, and what both pages of most visits import, form one chunk: Rollup would make one for each set of routes
 * that share a module.
 */
function shellModules(getModuleInfo: GetModuleInfo): Set<string> {
  const download = importsOf(routeId("routes/download.$downloadId.tsx"), getModuleInfo);
  const shared = [...importsOf(routeId("routes/_index.tsx"), getModuleInfo)].filter((id) => download.has(id));
  return new Set([...importsOf(routeId("root.tsx"), getModuleInfo), ...shared]);
}

/** Each icon comes from its own file: the package's index has two thousand, which no build has to read. */
function iconFiles(): Plugin {
  return {
    name: "icon-files",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/app/") || !code.includes(LUCIDE)) return null;
      return code.replace(/^import \{([^}]*)\} from "lucide-react";$/gm, (_import, list: string) => {
        const names = list.split(",").map((name) => name.trim());
        const icons = names.filter((name) => name !== "" && !name.startsWith("type "));
        return icons.map((name) => `import ${name} from ${JSON.stringify(fileOfIcon(name))};`).join(" ");
      });
    },
  };
}

const LUCIDE = "lucide-react";
const ICON_FOLDER = resolve("node_modules/lucide-react/dist/esm/icons");

/** `Trash2` is in `trash-2.mjs`. */
function fileOfIcon(name: string): string {
  const file = name.replace(/(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-").toLowerCase();
  return resolve(ICON_FOLDER, `${file}.mjs`);
}

/** Icons of the pages that strangers open. */
function firstIcons(getModuleInfo: GetModuleInfo): Set<string> {
  const routes = ["root.tsx", "routes/_index.tsx", "routes/download.$downloadId.tsx", "routes/r.$token.tsx"];
  const later = resolve("app/features/download/transfer/transfer-download.tsx");
  return new Set([...routes.map(routeId), later].flatMap((id) => [...importsOf(id, getModuleInfo)]));
}

/** @param route below app/ */
function routeId(route: string): string {
  return `${resolve("app", route)}?__remix-build-client-route`;
}

/** The module and its imports. */
function importsOf(start: string, getModuleInfo: GetModuleInfo): Set<string> {
  const found = new Set<string>();
  const add = (id: string) => {
    if (found.has(id) || FRAMEWORK.test(id)) return;
    found.add(id);
    getModuleInfo(id)?.importedIds.forEach(add);
  };
  add(start);
  return found;
}

/** Left to wrangler, which bundles them once for pages and Worker. The release is known after the build. */
const SHARED_WITH_WORKER = /^#(domain\/|messages\/|build\/release\.js$)/;

let shell: Set<string> | undefined;
let icons: Set<string> | undefined;

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tailwindcss(),
    pdfAssets(),
    scriptLoading(),
    iconFiles(),
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
    // Bundling them here tree-shakes them.
    noExternal: [/^@radix-ui\//, "@tanstack/react-query", "lucide-react"],
    resolve: { conditions: ["workerd", "worker", "browser", "module", "import"] },
  },
  build: {
    emptyOutDir: !process.env.BUILD_IN_PLACE,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Not the limiting factor: light-dark() in the styles needs newer browsers.
    target: "es2022",
    rollupOptions:
      isSsrBuild === true
        ? { external: SHARED_WITH_WORKER }
        : {
            output: {
              // Every script names those that it loads on demand, and the first ones of a page are counted by bytes.
              chunkFileNames: ({ name }) => `assets/${name.replace(/\.client$/, "")}-[hash].js`,
              manualChunks: (id, { getModuleInfo }) => {
                if (FRAMEWORK.test(id) || SCRIPT_LOADING_MODULES.includes(id)) return "framework";
                if (FORMS.includes(id)) return "forms";
                if (id === SCHEMAS) return "schemas";
                icons ??= firstIcons(getModuleInfo);
                if (id.startsWith(ICON_FOLDER)) return icons.has(id) ? "shell" : "icons";
                if (id.includes("/lucide-react/")) return "shell";
                shell ??= shellModules(getModuleInfo);
                return shell.has(id) ? "shell" : undefined;
              },
            },
          },
  },
}));
