import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** What a deployment serves as files, for whoever wants to compare them. */
export interface Release {
  /** Twelve hexadecimal digits of a hash of all files. */
  id: string;
  /** SHA-256 as in Subresource Integrity, by path. */
  files: Record<string, string>;
}

/** Cloudflare's rules for headers are not served, and a list cannot hold its own hash. */
const NOT_LISTED = new Set(["/_headers", "/release.json"]);
/** What a script loads: by `import`, or through Vite's list of what to preload. */
const SCRIPT_NAMES = /["'`](?:\.\/|\/?assets\/)([\w.$-]+\.js)["'`]/g;
/** Of the page of a link, and what is on each page. */
const LINK_PAGE_SCRIPTS = /^\/assets\/(?:entry\.client|root|manifest|download\._downloadId)-[\w-]+\.js$/;
/** It names the scripts of all pages. */
const ROUTES_MANIFEST = /^\/assets\/manifest-/;

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
  const found = new Set(Object.keys(files).filter((path) => LINK_PAGE_SCRIPTS.test(path)));
  for (const path of found) {
    if (ROUTES_MANIFEST.test(path)) continue;
    const source = readFileSync(join(folder, path), "utf8");
    for (const [, name = ""] of source.matchAll(SCRIPT_NAMES)) {
      if (existsSync(join(folder, "assets", name))) found.add(`/assets/${name}`);
    }
  }
  return Object.fromEntries([...found].sort().map((path) => [path, files[path] ?? ""]));
}
