import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
  run("remix", ["vite:build"]);
  run(process.execPath, ["scripts/compile-messages.ts"]);
  writeFileSync(STAMP, stamp);
}

function run(command: string, options: string[]): void {
  const done = spawnSync(command, options, { encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } });
  if (done.status === 0) return;
  console.error(`${done.stdout}${done.stderr}`);
  throw new Error("the pages could not be built");
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
