import { mkdir, open, readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { hasCode } from "../opener/files.ts";

const NAME = "mayfly";

/** The folder of the kept API key. */
export function configFolder(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  if (process.platform === "win32" && APPDATA) return join(APPDATA, NAME);
  return join(XDG_CONFIG_HOME || join(homedir(), ".config"), NAME);
}

/** The folder of the records of unfinished uploads. */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, NAME);
  return join(XDG_STATE_HOME || join(homedir(), ".local", "state"), NAME);
}

/** Only the file's owner may read the file. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** @returns null if there is no such file */
export async function readPrivateFile(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Replaces the file atomically: a concurrent reader gets the old content. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const fresh = `${path}.${process.pid}`;
  const handle = await open(fresh, "w", FILE_MODE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
}
