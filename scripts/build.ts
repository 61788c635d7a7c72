import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileCatalogues } from "#messages/catalogues.ts";

/** What the pages are made from. */
const SOURCES = ["app", "domain", "messages", "public", "vite.config.ts", "package-lock.json", "package.json"];
const STAMP = "build/.sources";

/**
 * Builds the pages with Vite, and their messages, unless the last build was made from the very same sources.
 * @throws Error when the build fails; what it said has been printed
 */
export function buildPages(): void {
  const stamp = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  const built = spawnSync("remix", ["vite:build"], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (built.status !== 0) {
    console.error(`${built.stdout}${built.stderr}`);
    throw new Error("the pages could not be built");
  }
  writeFileSync("build/messages.js", `export default ${JSON.stringify(compileCatalogues())};\n`);
  writeFileSync(STAMP, stamp);
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const source of SOURCES) for (const file of filesOf(source)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  const isFolder = !/\.\w+$/.test(path);
  if (!isFolder) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

if (import.meta.main) buildPages();
