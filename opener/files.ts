import { constants } from "node:fs";
import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, Problem } from "./problem.ts";

/** The flag that refuses to open symbolic links. Windows has no such flag, but creating a link there needs rights. */
export const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Creates the missing folders of a path below a parent folder. @param mode of new folders
 * @returns the path @throws Problem `failed` where a part is no folder, but for example a link that leads elsewhere
 */
export async function makeFolders(parent: string, names: readonly string[], mode = 0o777): Promise<string> {
  let path = parent;
  for (const name of names) {
    path = join(path, name);
    await mkdir(path, { mode }).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
    if (!(await lstat(path)).isDirectory()) throw new Problem(EXIT.failed, `"${path}" is not a folder.`);
  }
  return path;
}

/** @returns the file's size in bytes; null if the path is not a regular file */
export async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}
