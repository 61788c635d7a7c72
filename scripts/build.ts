import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCli } from "./cli-build.ts";
import { writeApiDescription } from "./openapi.ts";
import { writeRelease } from "./release.ts";
import { runTool } from "./run-tool.ts";

const OPEN_WORKER_CONFIG = "vite.open-worker.config.ts";
const SOURCES = [
  "app",
  "cli",
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
 * Builds the pages and the command lines with Vite and compiles the messages, unless the sources have not changed since
 * the last build.
 * @throws Error when the build fails; its output has been printed
 */
export function buildPages(): void {
  const stamp = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp) return;
  runTool("remix", ["vite:build"]);
  runTool("vite", ["build", "--config", OPEN_WORKER_CONFIG]);
  runTool("vite", ["build", "--config", "opener/vite.config.ts"]);
  runTool(process.execPath, ["scripts/compile-messages.ts"]);
  buildCli();
  writeApiDescription();
  writeRelease();
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
