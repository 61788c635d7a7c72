import { setPreferenceCookie } from "#app/lib/preference-cookie.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";

/** Files of this site that are opened part by part, in the origin-private file system. */
const FOLDER = "mayfly-opened";
const NOTE = ".note";

/** A finished one was handed over: the browser has copied it by then. */
export const KEEP_FINISHED_MS = HOUR_MS;
/** Longer than somebody who closed the tab waits before going on. */
const KEEP_UNFINISHED_MS = 14 * DAY_MS;

/** How far a staged file is. */
export interface StageNote {
  /** All bytes before are stored for certain. */
  bytes: number;
  size: number;
  /** Epoch milliseconds. */
  at: number;
}

/** @throws DOMException where this browser has no such file system */
export async function stageFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}

export const noteName = (key: string) => `${key}${NOTE}`;

/** @returns null for a file of which nothing is staged */
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

/** Removes a staged file, if there is one. A file that another tab writes stays. */
export async function removeStaged(folder: FileSystemDirectoryHandle, key: string): Promise<void> {
  // The note first: it never promises what is not there.
  if (await remove(folder, noteName(key))) await remove(folder, key);
}

/** @returns whether it is not there any more */
async function remove(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.removeEntry(name);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "NotFoundError";
  }
}

/**
 * Makes room: removes what was handed over, and what nobody came back for.
 * @param now epoch milliseconds @returns whether something is left
 */
export async function tidyStage(folder: FileSystemDirectoryHandle, now: number): Promise<boolean> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(NOTE)) continue;
    const key = name.slice(0, -NOTE.length);
    const note = await readNote(folder, key);
    const keepMs = note && note.bytes < note.size ? KEEP_UNFINISHED_MS : KEEP_FINISHED_MS;
    if (!note || note.at + keepMs < now) await removeStaged(folder, key);
  }
  // Bytes whose note alone was removed. Those that another tab has just begun are locked.
  const left = new Set(await namesIn(folder));
  for (const name of left)
    if (!name.endsWith(NOTE) && !left.has(noteName(name)) && (await remove(folder, name))) left.delete(name);
  return left.size > 0;
}

/** A list, since some browsers skip entries of a folder that changes meanwhile. */
async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
  return names;
}

/** Removes opened files that are not needed any more. @throws DOMException where this browser has no stage */
export async function tidyStaged(): Promise<void> {
  flagStaged(await tidyStage(await stageFolder(), Date.now()));
}

/** Tells the page's frame, without a look into the file system, whether this browser may hold opened files. */
export function flagStaged(isStaged: boolean): void {
  setPreferenceCookie("keeps-staged", isStaged ? "1" : null);
}
