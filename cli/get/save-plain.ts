import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { SECOND_MS } from "#domain/units.ts";
import { ApiError } from "#engine/api-error.ts";
import { giveName, hashStart, pathOf } from "../../opener/file-names.ts";
import { makeFolders, NO_FOLLOW, sizeOf } from "../../opener/files.ts";
import { EXIT, Failure } from "../failure.ts";
import { NotYet, type LinkFile, type Recipient } from "./recipient.ts";
import type { SenderWait } from "../../opener/sender-wait.ts";

/** The pauses before a download whose response broke off, or brought no bytes, is retried. */
const PAUSES_MS = [SECOND_MS / 2, 2 * SECOND_MS, 5 * SECOND_MS];
/** The pause after a response without bytes of a file that is still being uploaded. */
const EMPTY_PAUSE_MS = 5 * SECOND_MS;
const ETAG_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_FOLLOW;

interface Place {
  out: string;
  /** The path of the file until all of its bytes are there. */
  part: string;
  force: boolean;
  /** Whether a file that its sender removes while it arrives is left out. */
  maySkip: boolean;
}

/**
 * Saves one file, also one that is still being uploaded. The file gets its name once it is complete and its SHA-256 is
 * the server's. Resumes a partial file.
 * @param onBytes gets the number of bytes saved so far @returns the file's path; null for a file that is left out
 * @throws Failure `damaged`, after which the partial file is deleted, `network`, or `limit` when the sender has been
 *   silent for too long; ApiError
 */
export async function savePlain(
  recipient: Recipient,
  file: LinkFile,
  { out, part, force, maySkip }: Place,
  wait: SenderWait,
  onBytes: (bytes: number) => void,
): Promise<string | null> {
  const folder = await makeFolders(out, file.name.split("/").slice(0, -1));
  if (file.name.endsWith("/")) return folder;
  try {
    await receive(recipient, file, part, wait, onBytes);
  } catch (error) {
    const isRemoved = file.followUrl !== undefined && error instanceof ApiError && error.body.code === "FILE_EXPIRED";
    if (!maySkip || !isRemoved) throw error;
    await forget(part);
    return null;
  }
  const sha256 = file.followUrl === undefined ? file.sha256 : await findSum(recipient, file, wait);
  if (sha256 !== undefined && (await sumOf(part, file.size)) !== sha256) {
    await forget(part);
    throw new Failure(EXIT.damaged, `"${file.name}" is not what the sender sent. Nothing of it was kept.`);
  }
  if (file.modifiedAt !== undefined) {
    const seconds = Date.parse(file.modifiedAt) / SECOND_MS;
    await utimes(part, seconds, seconds);
  }
  const path = await giveName(part, pathOf(file.name, out), force);
  await forget(part);
  return path;
}

async function receive(
  recipient: Recipient,
  file: LinkFile,
  part: string,
  wait: SenderWait,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (file.size === 0) {
    await writeFile(part, "");
    return;
  }
  let done = await startOf(part, file.size);
  onBytes(done);
  for (let failures = 0; done < file.size;) {
    const before = done;
    const answer = await recipient.fetchFile(file, await rangeFrom(part, done), wait.signal).catch(toNothing);
    if (answer instanceof NotYet) {
      await wait.pause(answer.retryMs);
      continue;
    }
    if (answer !== null) done = await addAnswer(answer, part, { done, size: file.size }, onBytes);
    wait.signal.throwIfAborted();
    if (done > before) failures = 0;
    // The server ends a response that the sender has given nothing to.
    else if (answer !== null && file.followUrl !== undefined) await wait.pause(EMPTY_PAUSE_MS);
    else {
      const pauseMs = PAUSES_MS[failures];
      if (pauseMs === undefined)
        throw new Failure(EXIT.network, "The server sends less than the whole file. Try again later.");
      failures += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Appends a response to the partial file. @param done bytes saved before @returns bytes saved afterwards */
async function addAnswer(
  response: Response,
  part: string,
  { done, size }: { done: number; size: number },
  onBytes: (bytes: number) => void,
): Promise<number> {
  if (response.status === 416) {
    await response.body?.cancel();
    await forget(part);
    return 0;
  }
  const isRest = response.status === 206 && response.headers.get("content-range")?.startsWith(`bytes ${done}-`);
  // Any other response starts at byte 0: the saved bytes are of another version, or nothing was saved.
  const from = isRest ? done : 0;
  const etag = response.headers.get("etag");
  if (etag !== null) await writeFile(etagPath(part), etag, { flag: ETAG_FLAGS });
  return append(part, response, { from, size }, onBytes);
}

/** @returns the bytes saved so far. A partial file without a stored ETag counts as empty: its version is unknown. */
async function startOf(part: string, size: number): Promise<number> {
  const there = await sizeOf(part);
  if (there === null || there > size || (await readEtag(part)) === null) return 0;
  return there;
}

async function rangeFrom(part: string, done: number): Promise<Record<string, string>> {
  const etag = done === 0 ? null : await readEtag(part);
  return etag === null ? {} : { range: `bytes=${done}-`, "if-range": etag };
}

/** Appends a response's body. A broken connection only ends the loop: saved bytes are kept, and the caller retries. */
async function append(
  part: string,
  response: Response,
  { from, size }: { from: number; size: number },
  onBytes: (bytes: number) => void,
): Promise<number> {
  const handle = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW);
  let there = from;
  try {
    await handle.truncate(from);
    const body: ReadableStream<Uint8Array> | null = response.body;
    const reader = body?.getReader();
    while (reader) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      if (done) break;
      if (there + value.length > size) {
        await reader.cancel();
        throw new Failure(EXIT.damaged, "The server sends more than the file's size.");
      }
      await handle.appendFile(value);
      there += value.length;
      onBytes(there);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return there;
}

/** Turns errors that a retry may fix (no answer, or a status from 500 up) into null. @throws errors but `NotYet` */
function toNothing(error: unknown): NotYet | null {
  if (error instanceof NotYet) return error;
  if (error instanceof TypeError || (error instanceof ApiError && error.status >= 500)) return null;
  throw error;
}

/** The sum of a file that has just arrived, which was unknown when it was listed. */
async function findSum(recipient: Recipient, { n }: LinkFile, wait: SenderWait): Promise<string | undefined> {
  for (;;) {
    try {
      return await recipient.findSum(n);
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await wait.pause(error.retryMs);
    }
  }
}

async function sumOf(path: string, size: number): Promise<string> {
  const hash = createHash("sha256");
  await hashStart(hash, path, size);
  return hash.digest("hex");
}

function etagPath(part: string): string {
  return `${part}.etag`;
}

/** @returns the ETag that was stored with a partial file; null without one */
async function readEtag(part: string): Promise<string | null> {
  const flag = constants.O_RDONLY | NO_FOLLOW;
  const text = await readFile(etagPath(part), { encoding: "utf8", flag }).catch(() => "");
  // A weak ETag does not say that the bytes are the same.
  return /^"[\x21\x23-\x7e]+"$/.test(text) ? text : null;
}

async function forget(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(etagPath(part), { force: true });
}
