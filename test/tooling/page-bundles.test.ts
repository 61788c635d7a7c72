import { existsSync, globSync, readFileSync, statSync } from "node:fs";
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

function readManifest(): Manifest {
  // Others are named so too: that of the lists of encrypted transfers.
  const sources = globSync("build/client/assets/manifest-*.js").map((path) => readFileSync(path, "utf8"));
  const source = sources.find((text) => text.startsWith("window.__remixManifest")) ?? "";
  return JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1)) as Manifest;
}

/** Scripts that the browser loads for the entries. @returns paths below build/client */
function scriptsOf(entries: (Entry | undefined)[]): string[] {
  return [...new Set(entries.flatMap((one) => (one ? [one.module, ...(one.imports ?? [])] : [])))];
}

function scriptsOfRoute(route: string): string[] {
  const { entry, routes } = readManifest();
  return scriptsOf([entry, routes.root, routes[route]]);
}

/** Pages that strangers open on slow phones, and a small one. Viewers, upload engine, forms, dialogs and toasts load on demand. */
it.each([
  { route: "routes/_index", kib: 125, maxFiles: 24 },
  { route: "routes/download.$downloadId", kib: 120, maxFiles: 14 },
  { route: "routes/r.$token", kib: 118, maxFiles: 14 },
  { route: "routes/unsubscribe.$token", kib: 112, maxFiles: 8 },
  { route: "routes/account_.notices", kib: 120, maxFiles: 14 },
  { route: "routes/developers", kib: 120, maxFiles: 14 },
  { route: "routes/developers_.reference", kib: 121, maxFiles: 14 },
])("the scripts of $route have at most $kib KB in $maxFiles files, and nothing that loads on demand", (page) => {
  const sources = scriptsOfRoute(page.route).map((path) => readFileSync(`build/client${path}`));
  expect(sources.length).toBeGreaterThan(4);
  expect(sources.length).toBeLessThanOrEqual(page.maxFiles);
  const compressedBytes = sources.reduce((sum, source) => sum + gzipSync(source).length, 0);
  expect(compressedBytes).toBeLessThanOrEqual(page.kib * KIB);
  const text = sources.map(String).join("\n");
  const lazy = ["GlobalWorkerOptions", "windows-1252", "new WebSocket", "XMLHttpRequest", "ZodMini", "swipeThreshold"];
  expect(lazy.filter((mark) => text.includes(mark))).toEqual([]);
});

it.each(["routes/_index", "routes/download.$downloadId", "routes/r.$token"])(
  "%s loads no icons of other pages",
  (route) => {
    expect(scriptsOfRoute(route).filter((path) => path.startsWith("/assets/icons-"))).toEqual([]);
  },
);

/** Pages of people who are signed in. Forms and questions load when they open. */
it.each([
  { route: "routes/dashboard_.requests", kib: 160, maxFiles: 28 },
  { route: "routes/dashboard_.received", kib: 160, maxFiles: 28 },
  { route: "routes/dashboard_.$id", kib: 194, maxFiles: 56 },
])("the scripts of $route have at most $kib KB in $maxFiles files", ({ route, kib, maxFiles }) => {
  const sources = scriptsOfRoute(route).map((path) => readFileSync(`build/client${path}`));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.length).toBeLessThanOrEqual(maxFiles);
  expect(sources.reduce((sum, source) => sum + gzipSync(source).length, 0)).toBeLessThanOrEqual(kib * KIB);
});

/** The script and everything that it imports at once. @param paths below build/client */
function withImports(paths: string[]): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const source = readFileSync(`build/client${path}`, "utf8");
    for (const [, name] of source.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) add(`/assets/${name}`);
  };
  paths.forEach(add);
  return [...found];
}

it("the download page of a transfer adds at most 15 KB to that of a single file [TRF-44]", () => {
  const page = new Set(withImports(scriptsOfRoute("routes/download.$downloadId")));
  const chunks = globSync("build/client/assets/transfer-download-*.js").map((path) => path.replace("build/client", ""));
  expect(chunks).toHaveLength(1);
  const added = withImports(chunks).filter((path) => !page.has(path));
  expect(added.some((path) => path.includes("entry-tree"))).toBe(true);
  const compressedBytes = added.reduce((sum, path) => sum + gzipSync(readFileSync(`build/client${path}`)).length, 0);
  expect(compressedBytes).toBeLessThanOrEqual(15 * KIB);
});

it("wall and viewer load on demand, with their styles [WALL-14]", () => {
  const chunkOf = (name: string) => globSync(`build/client/assets/${name}-????????.js`).map((path) => path.slice(12));
  const [transfer = ""] = chunkOf("transfer-download");
  const first = new Set(withImports([...scriptsOfRoute("routes/download.$downloadId"), transfer]));
  const [styles = "", ...otherStyles] = globSync("build/client/assets/viewer-*.css");
  expect(otherStyles).toEqual([]);
  expect(gzipSync(readFileSync(styles)).length).toBeLessThanOrEqual(3 * KIB);
  for (const { name, kib } of [
    { name: "picture", kib: 1 },
    { name: "pictured-files", kib: 4 },
    { name: "sealed-pictures", kib: 2 },
    { name: "wall", kib: 5 },
    { name: "viewer", kib: 22 },
  ]) {
    const [chunk = "", ...others] = chunkOf(name);
    expect(others, name).toEqual([]);
    expect(first.has(chunk), name).toBe(false);
    expect(gzipSync(readFileSync(`build/client${chunk}`)).length, name).toBeLessThanOrEqual(kib * KIB);
  }
  const text = [...first].map((path) => readFileSync(`build/client${path}`, "utf8")).join("\n");
  expect(["yarl__", "scroll-my-24", "naturalWidth"].filter((mark) => text.includes(mark))).toEqual([]);
});

/** Only administrators need it, and others should not learn its calls. */
it("no other page loads scripts of the admin area", () => {
  const { entry, routes } = readManifest();
  const others = Object.entries(routes).filter(([id]) => !id.startsWith("routes/admin"));
  expect(others.length).toBeGreaterThan(20);
  const scripts = scriptsOf([entry, ...others.map(([, route]) => route)]);
  const marks = ["/api/admin", "planOverrides", "ct-bar", "[a-zA-Z0-9._-]+@"];
  const found = scripts.flatMap((path) => {
    const text = readFileSync(`build/client${path}`, "utf8");
    return marks.filter((mark) => text.includes(mark)).map((mark) => `${mark} in ${path}`);
  });
  expect(found).toEqual([]);
  // The markers must exist in the admin area itself.
  const own = scriptsOf(Object.values(routes)).map((path) => readFileSync(`build/client${path}`, "utf8"));
  const all = [...own, ...globSync("build/client/assets/chart-????????.js").map((path) => readFileSync(path, "utf8"))];
  expect(marks.filter((mark) => !all.some((text) => text.includes(mark)))).toEqual([]);
});

it("all images and fonts have at most 100 KB, including icons and the social media card", () => {
  const files = globSync("build/client/**/*.{png,jpg,jpeg,gif,webp,avif,svg,ico,woff,woff2,ttf,otf}");
  expect(files).toContain("build/client/favicon.svg");
  const bytes = files.filter((path) => !path.includes("/pdfjs-")).reduce((sum, path) => sum + statSync(path).size, 0);
  expect(bytes).toBeLessThanOrEqual(100 * KIB);
});

/** Only some PDFs need them, so a missing one would be noticed late. */
it("the files that pdf.js loads are at their paths", () => {
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
