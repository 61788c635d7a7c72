import { constants } from "node:fs";
import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EXIT, Problem } from "./problem.ts";

/** Opens no symbolic link. Windows, where making one takes rights, has no such flag. */
export const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * Makes a folder below another, where it is missing.
 * @param mode of new ones
 * @returns its path @throws Problem `failed` where something else has the name, as a link that leads elsewhere
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

/** @returns its bytes; null for what is no file of its own */
export async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}
