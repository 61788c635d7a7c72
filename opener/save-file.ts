import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { open, rm, utimes, type FileHandle } from "node:fs/promises";
import type { ManifestFile } from "#domain/seal/manifest.ts";
import { RECORD_PLAINTEXT_BYTES } from "#domain/seal/sizes.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import { SECOND_MS } from "#domain/units.ts";
import { giveName, hashStart, pathOf } from "./file-names.ts";
import { makeFolders, NO_FOLLOW, sizeOf } from "./files.ts";
import { EXIT, Problem } from "./problem.ts";
import type { SenderWait } from "./sender-wait.ts";
import { streamBytes } from "./stream-bytes.ts";
import type { Transfer } from "./transfer.ts";

/**
 * Saves one file of a transfer. The file gets its name once it is complete and its SHA-256 is the sender's.
 * @param part the path of the unfinished file @param force replaces another file of the same name
 * @param wait for the sender of a file that is still being uploaded
 * @param onProgress gets the number of bytes saved so far @returns the file's path, with a number if the name is taken
 * @throws SealError `damaged` or Problem `gone`, after which the unfinished file is deleted; Problem
 */
export async function saveFile(
  transfer: Transfer,
  file: ManifestFile,
  { out, part, force, wait }: { out: string; part: string; force: boolean; wait: SenderWait },
  onProgress: (bytes: number) => void,
): Promise<string> {
  const folders = file.name.split("/").slice(0, -1);
  const folder = await makeFolders(out, folders);
  if (file.name.endsWith("/")) return folder;
  await receive({ transfer, file, part, wait, onProgress });
  const seconds = file.mtime / SECOND_MS;
  await utimes(part, seconds, seconds);
  return giveName(part, pathOf(file.name, out), force);
}

interface Receiving {
  transfer: Transfer;
  file: ManifestFile;
  part: string;
  wait: SenderWait;
  onProgress(bytes: number): void;
}

async function receive(receiving: Receiving): Promise<void> {
  const { transfer, file, part } = receiving;
  const resumed = await wholeRecordsOf(part, file);
  const received = await receiveFrom(resumed, receiving);
  // The sum of a file that was followed is known only after its end.
  const sha256 = file.sha256 ?? (await transfer.findSum(file));
  if (received === sha256) return;
  // The bytes saved by an earlier run may have been changed, so everything is downloaded again.
  if (resumed > 0 && (await receiveFrom(0, receiving)) === sha256) return;
  await rm(part, { force: true });
  throw new SealError("damaged", `"${file.name}" is not the file that the sender's list describes.`);
}

/** @param done bytes of the unfinished file that are kept @returns the SHA-256 of the whole file */
async function receiveFrom(done: number, receiving: Receiving): Promise<string> {
  const { part } = receiving;
  const hash = createHash("sha256");
  if (done > 0) await hashStart(hash, part, done);
  const handle = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW);
  try {
    await handle.truncate(done);
    await appendStream(handle, hash, done, receiving);
    await handle.sync();
  } catch (error) {
    const isGone = error instanceof Problem && error.exitCode === EXIT.gone;
    if (isGone || error instanceof SealError) await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}

async function appendStream(
  handle: FileHandle,
  hash: Hash,
  done: number,
  { transfer, file, wait, onProgress }: Receiving,
): Promise<void> {
  let there = done;
  onProgress(there);
  for await (const piece of streamBytes(transfer, file, done, wait)) {
    await handle.appendFile(piece);
    hash.update(piece);
    there += piece.length;
    onProgress(there);
  }
}

/** @returns the bytes of an unfinished file, up to the end of its last whole record */
async function wholeRecordsOf(part: string, { at, size }: ManifestFile): Promise<number> {
  const bytes = await sizeOf(part);
  if (bytes === null || bytes > size) return 0;
  const end = at + bytes;
  return Math.max(0, end - (end % RECORD_PLAINTEXT_BYTES) - at);
}
