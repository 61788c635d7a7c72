import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCli } from "./cli-build.ts";
import { writeApiDescription } from "./openapi.ts";
import { writeRelease } from "./release.ts";
import { writeThrowawayDomains } from "./throwaway-domains.ts";
import { runTool } from "./run-tool.ts";

const OPEN_WORKER_CONFIG = "vite.open-worker.config.ts";
/** The sources of the command lines, of the add-on, of the messages and of the API's description. */
const SHARED_SOURCES = [
  "cli",
  "domain",
  "engine",
  "messages",
  "opener",
  "package-lock.json",
  "package.json",
  "thunderbird",
];
const PAGE_SOURCES = ["app", "public", "vite.config.ts", OPEN_WORKER_CONFIG];
const STAMP = "build/.sources";
/** Follows the stamp of a build that left the files of former builds in the folder. */
const WITH_FORMER = " with former files";

/**
 * Builds the pages and the command lines with Vite and compiles the messages, unless the sources have not changed since
 * the last build.
 * @param inPlace leaves the files of former builds, so that a running Worker never misses a file; the next build that
 * is not in place removes them
 * @throws Error when the build fails; its output has been printed
 */
export function buildPages({ inPlace = false } = {}): void {
  const shared = hashSources(SHARED_SOURCES);
  const stamp = `${shared} ${hashSources(PAGE_SOURCES)}`;
  const built = existsSync(STAMP) ? readFileSync(STAMP, "utf8") : "";
  if (built === stamp || (inPlace && built === stamp + WITH_FORMER)) return;
  // If the build fails, the stamp must not describe the folder that is left.
  rmSync(STAMP, { force: true });
  runTool("remix", ["vite:build"], { BUILD_IN_PLACE: inPlace ? "1" : "" });
  runTool("vite", ["build", "--config", OPEN_WORKER_CONFIG]);
  // Editing a page changes none of these outputs, but a build that is not in place has removed them.
  if (!inPlace || !built.startsWith(shared)) {
    runTool("vite", ["build", "--config", "opener/vite.config.ts"]);
    runTool(process.execPath, ["scripts/compile-messages.ts"]);
    writeThrowawayDomains();
    buildCli();
    runTool(process.execPath, ["scripts/thunderbird-build.ts"]);
    writeApiDescription();
  }
  writeRelease();
  writeFileSync(STAMP, inPlace ? stamp + WITH_FORMER : stamp);
}

function hashSources(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const source of sources) for (const file of filesOf(source)) hash.update(file).update(readFileSync(file));
  return hash.digest("hex");
}

function filesOf(path: string): string[] {
  const isFolder = !/\.\w+$/.test(path);
  if (!isFolder) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
