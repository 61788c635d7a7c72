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

/** What the browser fetches for the download page, as the build says it. @returns paths below build/client */
function scriptsOfDownloadPage(): string[] {
  const [path = ""] = globSync("build/client/assets/manifest-*.js");
  const source = readFileSync(path, "utf8");
  const { entry, routes } = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1)) as Manifest;
  const entries = [entry, routes.root, routes["routes/download.$downloadId"]];
  return [...new Set(entries.flatMap((one) => [one?.module ?? "", ...(one?.imports ?? [])]))];
}

/** The page that strangers open, on phones and slow lines: at most 120 KB, viewers apart. */
it("the download page's scripts are small, and no viewer is among them", () => {
  const sources = scriptsOfDownloadPage().map((path) => readFileSync(`build/client${path}`));
  expect(sources.length).toBeGreaterThan(5);
  const compressedBytes = sources.reduce((sum, source) => sum + gzipSync(source).length, 0);
  expect(compressedBytes).toBeLessThanOrEqual(120 * KIB);
  const text = sources.map(String).join("\n");
  const lazy = ["GlobalWorkerOptions", "windows-1252", "new WebSocket"];
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
