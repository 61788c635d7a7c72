import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { hasCode, NO_FOLLOW, sizeOf } from "./files.ts";
import { EXIT, Problem } from "./problem.ts";
import { visible } from "./show.ts";
import { WORK_FOLDER } from "./work-folder.ts";

interface NamedFile {
  name: string;
  /** Bytes. */
  size: number;
  /** Hexadecimal. Absent while the sum is unknown. */
  sha256?: string | undefined;
}

/**
 * @param mayHaveDot the person chose the folder, so names may begin with a dot
 * @throws Problem `damaged` for a name of this program's own files, `usage` for a name that could change settings
 */
export function checkName(name: string, mayHaveDot: boolean): void {
  const seen = visible(name);
  if (seen.toLowerCase().startsWith(WORK_FOLDER))
    throw new Problem(EXIT.damaged, `"${seen}" is a name of this program's own files.`);
  if (!mayHaveDot && seen.split("/").some((segment) => segment.startsWith(".")))
    throw new Problem(
      EXIT.usage,
      `"${seen}" begins with a dot, and programs take their settings from such files. Choose a folder with --out, or other files with --file.`,
    );
}

/** @param name as `checkPath` accepts it: no `..`, root or backslash @param out folder @returns the file's path */
export function pathOf(name: string, out: string): string {
  return join(out, ...name.split("/"));
}

/** Whether the folder has a file with the same path, size and SHA-256 already. */
export async function isThere(file: NamedFile, out: string): Promise<boolean> {
  if (file.sha256 === undefined) return false;
  const path = pathOf(file.name, out);
  if ((await sizeOf(path)) !== file.size) return false;
  const hash = createHash("sha256");
  await hashStart(hash, path, file.size);
  return hash.digest("hex") === file.sha256;
}

/** Adds the start of a file to a hash. @param length bytes */
export async function hashStart(hash: Hash, path: string, length: number): Promise<void> {
  if (length === 0) return;
  const handle = await open(path, constants.O_RDONLY | NO_FOLLOW);
  for await (const chunk of handle.createReadStream({ end: length - 1 })) hash.update(chunk as Uint8Array);
}

/** Moves a finished file to its place. @param force replaces an existing file @returns the path, or a numbered one */
export async function giveName(part: string, path: string, force: boolean): Promise<string> {
  if (force) {
    await rename(part, path);
    return path;
  }
  const extension = extname(path);
  const start = join(dirname(path), basename(path, extension));
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? path : `${start} (${number})${extension}`;
    if (await moveTo(candidate, part)) return candidate;
  }
}

/** @returns false when the path is taken: unlike `rename`, `link` replaces nothing */
async function moveTo(path: string, part: string): Promise<boolean> {
  try {
    await link(part, path);
    await rm(part);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
  }
  return replaceEmpty(path, part);
}

/** Moves the file on file systems without hard links: an empty file reserves the name. */
async function replaceEmpty(path: string, part: string): Promise<boolean> {
  try {
    await (await open(path, "wx")).close();
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
  await rename(part, path);
  return true;
}
