import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** What a deployment serves as files, for whoever wants to compare them. */
export interface Release {
  /** Twelve hexadecimal digits of a hash of all files. */
  id: string;
  /** SHA-256 as in Subresource Integrity, by path. */
  files: Record<string, string>;
  /** Set by a deployment: files that it keeps for pages of former releases (decision 054). */
  former?: FormerRelease[];
}

/** What is still served of a release that another one has replaced. */
export interface FormerRelease {
  id: string;
  /** ISO 8601. A deployment after this time leaves the files out. */
  until: string;
  /** As in `Release`. Without the files that the release has, too. */
  files: Record<string, string>;
}

/** Cloudflare's rules are not served, and a list cannot hold its own hash. */
const NOT_LISTED = new Set(["/_headers", "/release.json"]);
/** What a script loads: by `import`, or through Vite's list of what to preload. */
const SCRIPT_NAMES = /["'`](?:\.\/|\/?assets\/)([\w.$-]+\.js)["'`]/g;
/** Of the page of a link, and what is on each page. */
const LINK_PAGE_SCRIPTS = /^\/assets\/(?:entry\.client|root|download\._downloadId)-[\w-]+\.js$/;
/** Remix's list, which names the scripts of all pages, begins so. A module of ours has the name `manifest`, too. */
const ROUTES_MANIFEST = "window.__remixManifest=";

/**
 * Writes the hashes of all files in build/client to its release.json, and for the pages to build/release.js: the
 * release's id, and the import map of the pages of encrypted links.
 */
export function writeRelease(): void {
  const release = describeRelease("build/client");
  writeFileSync("build/client/release.json", `${JSON.stringify(release, null, 2)}\n`);
  const importMap = JSON.stringify({ integrity: scriptsOfLinkPages("build/client", release) });
  writeFileSync("build/release.js", `export default ${JSON.stringify({ id: release.id, importMap })};\n`);
}

/** @param folder a build's files */
export function describeRelease(folder: string): Release {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name))}`)
    .filter((path) => !NOT_LISTED.has(path))
    .sort()
    .map((path): [string, string] => [path, integrityOf(readFileSync(join(folder, path)))]);
  const id = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  return { id, files: Object.fromEntries(files) };
}

/** @returns a hash as in Subresource Integrity */
export function integrityOf(bytes: Uint8Array): string {
  return `sha256-${createHash("sha256").update(bytes).digest("base64")}`;
}

/** The scripts that a link's page may load, at once or later, with their hashes. */
function scriptsOfLinkPages(folder: string, { files }: Release): Record<string, string> {
  const names = Object.keys(files).filter((path) => LINK_PAGE_SCRIPTS.test(path));
  const found = new Set([...names, routesManifestOf(folder, Object.keys(files))]);
  for (const path of found) {
    const source = readFileSync(join(folder, path), "utf8");
    if (source.startsWith(ROUTES_MANIFEST)) continue;
    for (const [, name = ""] of source.matchAll(SCRIPT_NAMES)) {
      if (existsSync(join(folder, "assets", name))) found.add(`/assets/${name}`);
    }
  }
  return Object.fromEntries([...found].sort().map((path) => [path, files[path] ?? ""]));
}

/** @throws Error when Remix has renamed it: no page would load */
function routesManifestOf(folder: string, paths: string[]): string {
  const found = paths.find(
    (path) =>
      path.startsWith("/assets/manifest-") && readFileSync(join(folder, path), "utf8").startsWith(ROUTES_MANIFEST),
  );
  if (found === undefined) throw new Error("The build has no list of routes: /assets/manifest-*.js");
  return found;
}
