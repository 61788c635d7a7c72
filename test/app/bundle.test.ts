import { existsSync, globSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import pdfjs from "pdfjs-dist/package.json" with { type: "json" };
import { KIB } from "#domain/units.ts";

interface Entry {
  module: string;
  imports?: string[];
}

interface Manifest {
  entry: Entry;
  routes: Record<string, Entry | undefined>;
}

/** What the browser fetches for a route, as the build says it. @returns paths below build/client */
function scriptsOf(route: string): string[] {
  const [path = ""] = globSync("build/client/assets/manifest-*.js");
  const source = readFileSync(path, "utf8");
  const { entry, routes } = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1)) as Manifest;
  const entries = [entry, routes.root, routes[route]];
  return [...new Set(entries.flatMap((one) => [one?.module ?? "", ...(one?.imports ?? [])]))];
}

/**
 * The pages that strangers open, on phones and slow lines: viewers, the upload engine, forms, dialogs and toasts are
 * fetched when they are needed.
 */
it.each([
  { route: "routes/_index", kib: 125 },
  { route: "routes/download.$downloadId", kib: 120 },
])("the scripts of $route come to at most $kib KB, and nothing is among them that waits for a person", (page) => {
  const sources = scriptsOf(page.route).map((path) => readFileSync(`build/client${path}`));
  expect(sources.length).toBeGreaterThan(5);
  const compressedBytes = sources.reduce((sum, source) => sum + gzipSync(source).length, 0);
  expect(compressedBytes).toBeLessThanOrEqual(page.kib * KIB);
  const text = sources.map(String).join("\n");
  const lazy = ["GlobalWorkerOptions", "windows-1252", "new WebSocket", "XMLHttpRequest", "ZodMini", "swipeThreshold"];
  expect(lazy.filter((mark) => text.includes(mark))).toEqual([]);
});

/** They are fetched for some documents only, so that their absence would be noticed late. */
it("what pdf.js fetches is where it looks for it", () => {
  const files = [
    "cmaps/UniJIS-UTF16-H.bcmap",
    "iccs/CGATS001Compat-v2-micro.icc",
    "standard_fonts/FoxitDingbats.pfb",
    "wasm/jbig2.wasm",
    "wasm/openjpeg.wasm",
    "wasm/qcms_bg.wasm",
  ];
  const missing = files.filter((file) => !existsSync(`build/client/assets/pdfjs-${pdfjs.version}/${file}`));
  expect(missing).toEqual([]);
});
