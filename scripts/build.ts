import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeApiDescription } from "./openapi.ts";
import { writeRelease } from "./release.ts";

const OPEN_WORKER_CONFIG = "vite.open-worker.config.ts";
const SOURCES = [
  "app",
  "domain",
  "engine",
  "messages",
  "opener",
  "public",
  "vite.config.ts",
  OPEN_WORKER_CONFIG,
  "package-lock.json",
  "package.json",
];
const STAMP = "build/.sources";

/**
 * Builds the pages and the command line with Vite and compiles the messages, unless the sources have not changed since
 * the last build.
 * @throws Error when the build fails; its output has been printed
 */
export function buildPages(): void {
  const stamp = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  run("remix", ["vite:build"]);
  run("vite", ["build", "--config", OPEN_WORKER_CONFIG]);
  run("vite", ["build", "--config", "opener/vite.config.ts"]);
  run(process.execPath, ["scripts/compile-messages.ts"]);
  writeApiDescription();
  writeRelease();
  writeFileSync(STAMP, stamp);
}

function run(command: string, options: string[]): void {
  const result = spawnSync(command, options, { encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } });
  if (result.status === 0) return;
  console.error(`${result.stdout}${result.stderr}`);
  throw new Error("Building the pages failed");
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
