import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, open, rename, rm, stat, utimes, type FileHandle } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { SealedFile } from "#domain/seal/manifest.ts";
import { RECORD_PLAINTEXT_BYTES } from "#domain/seal/sizes.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import { SECOND_MS } from "#domain/units.ts";
import { streamBytes } from "./stream-bytes.ts";
import type { Transfer } from "./transfer.ts";

export interface Saved {
  path: string;
  /** The same file was there before. */
  wasThere: boolean;
}

/**
 * Saves one file of a transfer, in a `.part` file until it is whole and its SHA-256 is the sender's.
 * @param onProgress gets the file's bytes that are there
 * @throws SealError `damaged`, after which nothing of the file is left; Problem
 */
export async function saveFile(
  transfer: Transfer,
  file: SealedFile,
  folder: string,
  onProgress: (bytes: number) => void,
): Promise<Saved> {
  // The manifest's names were checked: no `..`, no root, no backslash.
  const path = join(folder, ...file.name.split("/"));
  if (file.name.endsWith("/")) {
    await mkdir(path, { recursive: true });
    return { path, wasThere: false };
  }
  await mkdir(dirname(path), { recursive: true });
  if (await isSame(path, file)) return { path, wasThere: true };
  const part = `${path}.part`;
  await receive(transfer, file, part, onProgress);
  const seconds = file.mtime / SECOND_MS;
  await utimes(part, seconds, seconds);
  const free = await freePath(path);
  await rename(part, free);
  return { path: free, wasThere: false };
}

async function receive(
  transfer: Transfer,
  file: SealedFile,
  part: string,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const resumed = await wholeRecordsOf(part, file);
  if ((await receiveFrom(resumed, transfer, file, part, onProgress)) === file.sha256) return;
  // What was there before may be of another transfer that has a file of this name.
  if (resumed > 0 && (await receiveFrom(0, transfer, file, part, onProgress)) === file.sha256) return;
  await rm(part, { force: true });
  throw new SealError("damaged", `"${file.name}" is not the file that the sender's list describes.`);
}

/** @param done bytes of the part file that are kept @returns the file's SHA-256 */
async function receiveFrom(
  done: number,
  transfer: Transfer,
  file: SealedFile,
  part: string,
  onProgress: (bytes: number) => void,
): Promise<string> {
  const hash = createHash("sha256");
  if (done > 0) await hashStart(hash, part, done);
  const handle = await open(part, "a");
  try {
    await handle.truncate(done);
    await appendStream(handle, hash, transfer, file, done, onProgress);
    await handle.sync();
  } catch (error) {
    if (error instanceof SealError) await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}

async function appendStream(
  handle: FileHandle,
  hash: Hash,
  transfer: Transfer,
  file: SealedFile,
  done: number,
  onProgress: (bytes: number) => void,
): Promise<void> {
  let there = done;
  onProgress(there);
  for await (const piece of streamBytes(transfer, file, done)) {
    await handle.appendFile(piece);
    hash.update(piece);
    there += piece.length;
    onProgress(there);
  }
}

/** @returns bytes of an unfinished file, up to the end of its last whole record */
async function wholeRecordsOf(part: string, { at, size }: SealedFile): Promise<number> {
  const bytes = await sizeOf(part);
  if (bytes === null || bytes > size) return 0;
  const end = at + bytes;
  return Math.max(0, end - (end % RECORD_PLAINTEXT_BYTES) - at);
}

async function isSame(path: string, { size, sha256 }: SealedFile): Promise<boolean> {
  if ((await sizeOf(path)) !== size) return false;
  const hash = createHash("sha256");
  await hashStart(hash, path, size);
  return hash.digest("hex") === sha256;
}

/** @param length from the start of the file */
async function hashStart(hash: Hash, path: string, length: number): Promise<void> {
  if (length === 0) return;
  for await (const chunk of createReadStream(path, { end: length - 1 })) hash.update(chunk as Uint8Array);
}

/** @returns null for what is no file */
async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}

/** @returns the path, or one with a number that nothing has */
async function freePath(path: string): Promise<string> {
  const extension = extname(path);
  const start = join(dirname(path), basename(path, extension));
  for (let number = 0; ; number += 1) {
    const candidate = number === 0 ? path : `${start} (${number})${extension}`;
    const isTaken = await access(candidate).then(
      () => true,
      () => false,
    );
    if (!isTaken) return candidate;
  }
}
