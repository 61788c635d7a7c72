import { openAsBlob, type Stats } from "node:fs";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ChosenItem } from "#engine/transfer/transfer-list.ts";
import { hasCode } from "../../opener/files.ts";
import { EXIT, Failure } from "../failure.ts";
import { readIgnoreRules } from "./ignore-rules.ts";

const IGNORE_FILE = ".mayflyignore";

export interface Collected {
  items: ChosenItem[];
  /** The only path is a file. */
  single: File | null;
  /** Symbolic links and devices, which are not sent. */
  skipped: number;
}

/** @throws Failure `usage` for a path that is not there, or is no file and no folder */
export async function collect(paths: readonly string[]): Promise<Collected> {
  const items: ChosenItem[] = [];
  let skipped = 0;
  for (const path of paths) {
    const found = await find(path);
    const name = basename(resolve(path));
    if (found.isFile()) items.push({ path: name, file: await openFile(path, found) });
    else skipped += await collectFolder(path, name, items);
  }
  const [first] = items;
  const isSingle = paths.length === 1 && (await find(paths[0] ?? "")).isFile();
  return { items, single: isSingle ? (first?.file ?? null) : null, skipped };
}

async function find(path: string): Promise<Stats> {
  const found = await lstat(path).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) throw new Failure(EXIT.usage, `There is no "${path}".`);
    throw error;
  });
  if (found.isSymbolicLink())
    throw new Failure(EXIT.usage, `"${path}" is a symbolic link, and those are not followed.`);
  if (!found.isFile() && !found.isDirectory()) throw new Failure(EXIT.usage, `"${path}" is no file and no folder.`);
  return found;
}

/** @param name of the folder, as recipients see it @returns how many entries are neither files nor folders */
async function collectFolder(root: string, name: string, items: ChosenItem[]): Promise<number> {
  const isLeftOut = readIgnoreRules(await readIgnoreFile(root));
  const prefix = name === "" ? "" : `${name}/`;
  let skipped = 0;
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let isEmpty = true;
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const below = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === IGNORE_FILE || isLeftOut(below, entry.isDirectory())) continue;
      if (entry.isDirectory()) folders.push(below);
      else if (entry.isFile()) {
        const path = join(root, below);
        items.push({ path: prefix + below, file: await openFile(path, await lstat(path)) });
      } else {
        skipped += 1;
        continue;
      }
      isEmpty = false;
    }
    if (isEmpty && prefix + folder !== "") items.push({ path: (prefix + folder).replace(/\/$/, ""), file: null });
  }
  return skipped;
}

const paths = new WeakMap<File, string>();

/** Its bytes are read when they are sent. Reading fails once the file has another date or size. */
async function openFile(path: string, { mtimeMs }: Stats): Promise<File> {
  const file = new File([await openAsBlob(path)], basename(path), { lastModified: Math.trunc(mtimeMs) });
  paths.set(file, path);
  return file;
}

/**
 * Changes with each write to the file, also when its date is set back: nobody can set `ctime`.
 * @param file of `collect` @throws Error for a file that is gone
 */
export async function versionOf(file: File): Promise<string | null> {
  const path = paths.get(file);
  if (path === undefined) return null;
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

async function readIgnoreFile(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, IGNORE_FILE), "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  }
}
