import type { ChosenItem } from "#engine/transfer/transfer-list.ts";
import type { DroppedItem } from "../dropped-items.ts";

export interface ChosenItems {
  items: ChosenItem[];
  /** Paths of files and folders that cannot be read. */
  unreadable: string[];
}

/** Reads the folders of a drop or a paste. */
export async function itemsOfDrop(dropped: readonly DroppedItem[]): Promise<ChosenItems> {
  const chosen: ChosenItems = { items: [], unreadable: [] };
  const folders: FileSystemDirectoryEntry[] = [];
  const files: FileSystemFileEntry[] = [];
  for (const { entry, file } of dropped) {
    if (entry) sortEntry(entry, files, folders);
    else if (file) chosen.items.push(...itemsOfInput([file]));
  }
  await addFiles(chosen, files);
  for (let folder = folders.pop(); folder; folder = folders.pop()) await addFolder(chosen, folder, folders);
  return chosen;
}

/** Files of an input, with the paths of a chosen folder. A file input does not report empty folders. */
export function itemsOfInput(files: Iterable<File>): ChosenItem[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Adds the files of a folder; its folders are left to the caller. */
async function addFolder(
  chosen: ChosenItems,
  folder: FileSystemDirectoryEntry,
  folders: FileSystemDirectoryEntry[],
): Promise<void> {
  const reader = folder.createReader();
  const files: FileSystemFileEntry[] = [];
  let isEmpty = true;
  let isReadable = true;
  try {
    // `readEntries` returns a part of the folder at a time (File and Directory Entries API, 7.3).
    for (let part = await readPart(reader); part.length > 0; part = await readPart(reader)) {
      isEmpty = false;
      for (const entry of part) sortEntry(entry, files, folders);
    }
  } catch {
    isReadable = false;
    chosen.unreadable.push(`${pathOf(folder)}/`);
  }
  if (isEmpty && isReadable) chosen.items.push({ path: pathOf(folder), file: null });
  await addFiles(chosen, files);
}

async function addFiles(chosen: ChosenItems, entries: FileSystemFileEntry[]): Promise<void> {
  const read = await Promise.allSettled(entries.map((entry) => readFile(entry)));
  for (const [index, entry] of entries.entries()) {
    const result = read[index];
    if (result?.status !== "fulfilled") chosen.unreadable.push(pathOf(entry));
    else chosen.items.push({ path: pathOf(entry), file: result.value, reload: () => readFile(entry) });
  }
}

function sortEntry(entry: FileSystemEntry, files: FileSystemFileEntry[], folders: FileSystemDirectoryEntry[]): void {
  if (entry.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
  else files.push(entry as FileSystemFileEntry);
}

function pathOf({ fullPath }: FileSystemEntry): string {
  return fullPath.replace(/^\//, "");
}

function readPart(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
