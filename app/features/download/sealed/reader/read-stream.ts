import type { Bytes } from "#domain/seal/keys.ts";
import { openRecords, type StreamKeys } from "#domain/seal/records.ts";
import { SealError } from "#domain/seal/seal-error.ts";
import { RECORD_BYTES, recordRange, recordsOf, sealedSize } from "#domain/seal/sizes.ts";
import { MIB, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import { fetchRecords, InterruptedError, ObstacleError, type WaitedFor, type Obstacle } from "./fetch-records.ts";
import { OpenError } from "./open-error.ts";

/** The records of one request, 32 MiB in all. Bounds memory in browsers that buffer a response without a limit. */
const WINDOW_RECORDS = 128;
/** The next window of records is requested when this many bytes of the current window are left. */
const ASK_NEXT_LEFT_BYTES = 8 * MIB;
/** The records decrypted in one call, 1 MiB in all. */
const BATCH_RECORDS = 4;

const FIRST_RETRY_MS = SECOND_MS;
const MAX_RETRY_MS = 30 * SECOND_MS;
/** The same for a sender: what has been stored meanwhile is to be read soon. */
const MAX_SENDER_RETRY_MS = 5 * SECOND_MS;
/** A connection that sends nothing for this long counts as lost, because no error reports a dead connection. */
const STALL_MS = 30 * SECOND_MS;
/** The same for the first byte of a range ahead of the sender: the server ends such a response after five minutes. */
const HELD_MS = 5 * MINUTE_MS + STALL_MS;
/** A sender counts as silent when no whole record has come for this long. */
const SILENT_MS = 20 * SECOND_MS;

export interface ReadContext {
  /** Aborting this signal ends the read. */
  signal: AbortSignal;
  /** Removes an obstacle to the read. @throws OpenError if the removal fails */
  clear(obstacle: Obstacle): Promise<void>;
  /** Called when the read has to wait for bytes. The next bytes end the wait. */
  onWaiting?(awaited: WaitedFor): void;
}

export interface StreamSource {
  /** The URL of the stored bytes. */
  url: string;
  keys: StreamKeys;
  /** Whether the URL follows an upload. */
  isFollowed: boolean;
}

/**
 * Decrypts a range of a stream's plaintext. Goes on after lost connections, sleep and the end of a grant.
 * @param from first byte @param to exclusive @returns the bytes in order, at most a MiB at once
 * @throws OpenError; the signal's reason when aborted
 */
export async function* readStream(
  source: StreamSource,
  from: number,
  to: number,
  context: ReadContext,
): AsyncGenerator<Bytes, void, undefined> {
  // An empty range needs no record, except in an empty stream, whose only record has no bytes.
  if (from === to && source.keys.plaintextBytes > 0) return;
  const { first, end } = recordsOf(from, to);
  const progress = { record: first, failures: 0 };
  while (progress.record < end) {
    try {
      for await (const { start, bytes } of readWindows(source, progress, end, context)) {
        const wanted = bytes.subarray(Math.max(0, from - start), Math.max(0, to - start));
        if (wanted.length > 0) yield wanted;
      }
    } catch (error) {
      await recover(error, progress, context);
    }
  }
}

interface Progress {
  /** The number of the next record to decrypt. */
  record: number;
  /** Failures since the last decrypted record. */
  failures: number;
}

async function* readWindows(
  source: StreamSource,
  progress: Progress,
  end: number,
  { signal, onWaiting }: ReadContext,
): AsyncGenerator<{ start: number; bytes: Bytes }, void, undefined> {
  // Aborts both requests, the current and the next one, when the loop ends early.
  const life = new AbortController();
  const ended = AbortSignal.any([signal, life.signal]);
  const onSilent = () => {
    if (source.isFollowed) onWaiting?.("sender");
  };
  const ask = (first: number) => {
    const windowEnd = Math.min(first + WINDOW_RECORDS, end);
    const response = fetchRecords(source.url, source.keys.plaintextBytes, first, windowEnd, ended);
    // The next window's response may never be awaited. The handler avoids an unhandled rejection.
    response.catch(() => undefined);
    return { windowEnd, response };
  };
  try {
    let next = ask(progress.record);
    while (progress.record < end) {
      const { windowEnd, response } = next;
      const expectedBytes = storedBytesOf(source, progress.record, windowEnd);
      let isNextAsked = false;
      const batches = batchesOf(await unlessStalled(response, STALL_MS), expectedBytes, source.isFollowed);
      for await (const sealed of tellingSilence(batches, onSilent)) {
        const { start } = recordRange(source.keys.plaintextBytes, progress.record);
        const bytes = await open(source.keys, progress.record, sealed);
        progress.record += Math.ceil(sealed.length / RECORD_BYTES);
        progress.failures = 0;
        const leftBytes = (windowEnd - progress.record) * RECORD_BYTES;
        if (!isNextAsked && windowEnd < end && leftBytes <= ASK_NEXT_LEFT_BYTES) {
          isNextAsked = true;
          next = ask(windowEnd);
        }
        yield { start, bytes };
      }
    }
  } finally {
    life.abort();
  }
}

/** @param onSilent called each time the next batch takes longer than SILENT_MS @returns the same batches */
async function* tellingSilence(
  batches: AsyncGenerator<Bytes, void, undefined>,
  onSilent: () => void,
): AsyncGenerator<Bytes, void, undefined> {
  try {
    for (;;) {
      const timer = setTimeout(onSilent, SILENT_MS);
      const next = await batches.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await batches.return();
  }
}

/** @throws InterruptedError if the work takes longer than `patienceMs` */
async function unlessStalled<Result>(work: Promise<Result>, patienceMs: number): Promise<Result> {
  const stall = Promise.withResolvers<never>();
  const timer = setTimeout(() => stall.reject(new InterruptedError()), patienceMs);
  try {
    return await Promise.race([work, stall.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function storedBytesOf({ keys }: StreamSource, first: number, end: number): number {
  return Math.min(end * RECORD_BYTES, sealedSize(keys.plaintextBytes)) - first * RECORD_BYTES;
}

async function open(keys: StreamKeys, first: number, sealed: Bytes): Promise<Bytes> {
  try {
    return await openRecords(keys, first, sealed);
  } catch (error) {
    throw error instanceof SealError ? new OpenError("damaged") : error;
  }
}

/**
 * Cuts a response body into batches of whole records. A batch is valid until the next is read.
 * @param isFollowed whether the body comes as a sender sends it
 * @throws InterruptedError for a body that ends early, after its whole records
 */
async function* batchesOf(
  response: Response,
  expectedBytes: number,
  isFollowed: boolean,
): AsyncGenerator<Bytes, void, undefined> {
  const reader = response.body?.getReader();
  const batch = new Uint8Array(Math.min(BATCH_RECORDS * RECORD_BYTES, expectedBytes));
  let filled = 0;
  let left = expectedBytes;
  try {
    while (left > 0) {
      const patienceMs = isFollowed && left === expectedBytes ? HELD_MS : STALL_MS;
      const piece = await readPiece(reader, patienceMs);
      if (piece === null) break;
      if (piece.length > left) throw new OpenError("damaged");
      left -= piece.length;
      for (let at = 0; at < piece.length;) {
        const taken = piece.subarray(at, at + batch.length - filled);
        batch.set(taken, filled);
        filled += taken.length;
        at += taken.length;
        if (filled < batch.length) continue;
        yield batch;
        filled = 0;
      }
    }
    const wholeBytes = left === 0 ? filled : filled - (filled % RECORD_BYTES);
    if (wholeBytes > 0) yield batch.subarray(0, wholeBytes);
    if (left > 0) throw new InterruptedError(isFollowed ? "sender" : "line");
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** @returns null at the end of the body, also of one that broke off */
async function readPiece(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  patienceMs: number,
): Promise<Uint8Array | null> {
  try {
    return reader ? ((await unlessStalled(reader.read(), patienceMs)).value ?? null) : null;
  } catch {
    return null;
  }
}

/** Handles a failed read. Returns when another try makes sense. @throws errors that no retry can help */
async function recover(error: unknown, progress: Progress, { signal, clear, onWaiting }: ReadContext): Promise<void> {
  signal.throwIfAborted();
  if (error instanceof ObstacleError) {
    await clear(error.obstacle);
    return;
  }
  if (!(error instanceof InterruptedError)) throw error;
  const { awaited, waitMs } = error;
  onWaiting?.(awaited);
  const longestMs = awaited === "sender" ? MAX_SENDER_RETRY_MS : MAX_RETRY_MS;
  const delayMs = waitMs ?? Math.min(FIRST_RETRY_MS * 2 ** progress.failures, longestMs);
  progress.failures += 1;
  await onlineOrDelay(delayMs, signal);
}

function onlineOrDelay(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener("online", finish);
      signal.removeEventListener("abort", finish);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(finish, delayMs);
    addEventListener("online", finish);
    signal.addEventListener("abort", finish);
  });
}
