import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";

/** The folder of the origin-private file system that holds partly decrypted files. */
const FOLDER = "mayfly-opened";
const NOTE = ".note";

/** How long a finished staged file stays. By then the browser has copied the file. */
export const KEEP_FINISHED_MS = HOUR_MS;
/** How long an unfinished staged file stays: longer than a person with a closed tab waits before coming back. */
const KEEP_UNFINISHED_MS = 14 * DAY_MS;

/** The note beside a staged file. It says how much of the file is written. */
export interface StageNote {
  /** All bytes before this offset are stored. */
  bytes: number;
  size: number;
  /** When the note was written, epoch milliseconds. */
  at: number;
}

/** @throws DOMException if this browser has no origin-private file system */
export async function stageFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}

export const noteName = (key: string) => `${key}${NOTE}`;

/** @returns null if no byte of the file is staged */
export async function readNote(folder: FileSystemDirectoryHandle, key: string): Promise<StageNote | null> {
  try {
    const handle = await folder.getFileHandle(noteName(key));
    const note: unknown = JSON.parse(await (await handle.getFile()).text());
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(value: unknown): value is StageNote {
  return (
    typeof value === "object" &&
    value !== null &&
    ["bytes", "size", "at"].every((name) => Number.isSafeInteger((value as Record<string, unknown>)[name]))
  );
}

/** Removes a staged file, if it exists. A file that another tab writes stays. */
export async function removeStaged(folder: FileSystemDirectoryHandle, key: string): Promise<void> {
  // Removes the note first, so that a note never promises bytes that are gone.
  if (await remove(folder, noteName(key))) await remove(folder, key);
}

/** @returns whether the file does not exist any more */
async function remove(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.removeEntry(name);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "NotFoundError";
  }
}

/** Deletes staged files that were kept long enough. @param now epoch milliseconds @returns whether any are left */
export async function tidyStage(folder: FileSystemDirectoryHandle, now: number): Promise<boolean> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(NOTE)) continue;
    const key = name.slice(0, -NOTE.length);
    const note = await readNote(folder, key);
    const keepMs = note && note.bytes < note.size ? KEEP_UNFINISHED_MS : KEEP_FINISHED_MS;
    if (!note || note.at + keepMs < now) await removeStaged(folder, key);
  }
  // Deletes files without a note. A file that another tab has just begun is locked, and stays.
  const left = new Set(await namesIn(folder));
  for (const name of left)
    if (!name.endsWith(NOTE) && !left.has(noteName(name)) && (await remove(folder, name))) left.delete(name);
  return left.size > 0;
}

/** @returns a list, because some browsers skip entries of a folder that changes during the iteration */
async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
  return names;
}

/** Deletes staged files that were kept long enough. @throws DOMException without an origin-private file system */
export async function tidyStaged(): Promise<void> {
  flagStaged(await tidyStage(await stageFolder(), Date.now()));
}

/** Sets a cookie by which a page knows whether this browser may hold staged files, without reading the file system. */
export function flagStaged(isStaged: boolean): void {
  setPreferenceCookie("keeps-staged", isStaged ? "1" : null);
}
