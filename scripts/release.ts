import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The list of the files that a deployment serves, for anybody who wants to compare them with a build. */
export interface Release {
  /** Twelve hexadecimal digits of a hash of all files. */
  id: string;
  /** The SHA-256 of each file, in the form of Subresource Integrity, by the file's path. */
  files: Record<string, string>;
  /** Files that a deployment keeps for pages of former releases (decision 054). The deployment adds this field. */
  former?: FormerRelease[];
}

/** The files of a replaced release that a deployment still serves. */
export interface FormerRelease {
  id: string;
  /** ISO 8601. A deployment after this time no longer serves the files. */
  until: string;
  /** Hashes by path, as in `Release`, without the files that the new release has, too. */
  files: Record<string, string>;
}

/** Cloudflare's rules are not served, and a list cannot hold its own hash. */
const NOT_LISTED = new Set(["/_headers", "/release.json"]);
/** The names of the scripts that a script loads: by `import`, or through Vite's list of scripts to preload. */
const SCRIPT_NAMES = /["'`](?:\.\/|\/?assets\/)([\w.$-]+\.js)["'`]/g;
/** The scripts of a link's page, and the scripts that every page loads. */
const LINK_PAGE_SCRIPTS = /^\/assets\/(?:entry\.client|root|download\._downloadId)-[\w-]+\.js$/;
/** The first characters of Remix's list of the scripts of all pages. A module of ours is named `manifest`, too. */
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

/** @throws Error when Remix has renamed its list of routes: no page of a link would load */
function routesManifestOf(folder: string, paths: string[]): string {
  const found = paths.find(
    (path) =>
      path.startsWith("/assets/manifest-") && readFileSync(join(folder, path), "utf8").startsWith(ROUTES_MANIFEST),
  );
  if (found === undefined) throw new Error("The build has no list of routes: /assets/manifest-*.js");
  return found;
}
