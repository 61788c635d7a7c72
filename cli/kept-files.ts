import { mkdir, open, readFile, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { hasCode } from "../opener/files.ts";

const NAME = "mayfly";

/** Where the key is kept. */
export function configFolder(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  if (process.platform === "win32" && APPDATA) return join(APPDATA, NAME);
  return join(XDG_CONFIG_HOME || join(homedir(), ".config"), NAME);
}

/** Where unfinished uploads are remembered. */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, NAME);
  return join(XDG_STATE_HOME || join(homedir(), ".local", "state"), NAME);
}

/** Only its owner may read it. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** @returns null for a file that is not there */
export async function readPrivateFile(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Replaces the file as a whole: whoever reads it meanwhile gets the old one. */
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
