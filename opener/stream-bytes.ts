import { openRecords, type StreamKeys } from "#domain/seal/records.ts";
import { RECORD_BYTES, RECORD_PLAINTEXT_BYTES, recordsOf, sealedSize } from "#domain/seal/sizes.ts";
import { SECOND_MS } from "#domain/units.ts";
import { refusal } from "./answers.ts";
import { ChangedProblem, EXIT, Problem } from "./problem.ts";
import type { SenderWait } from "./sender-wait.ts";
import { readJson, refused } from "./server.ts";
import type { Transfer } from "./transfer.ts";

/** The number of records that are decrypted at once. */
const BATCH_RECORDS = 4;
/** The pauses before a response that brought no record is retried. */
const PAUSES_MS = [SECOND_MS / 2, 2 * SECOND_MS, 5 * SECOND_MS];
/** The pause after a response that a silent sender left empty, and when the server names no time. */
const SENDER_PAUSE_MS = 5 * SECOND_MS;
/** The codes of an upload of which nothing can be read now. */
const NOT_YET = new Set(["UPLOAD_UNFINISHED", "TOO_MANY_FOLLOWERS"]);
/** Unlocking a link and taking a download each fix a refused call. Both fixes may be needed in a row. */
const MAX_MENDED = 2;

/** A file's place in its stream. */
export interface Stretch {
  stream: number;
  at: number;
  size: number;
}

/**
 * Reads a file from the server, with as many requests as needed.
 * @param done bytes of the file that are saved already, up to the end of a record
 * @param wait for the sender of a file that is still being uploaded
 * @returns pieces of plaintext, in order
 * @throws Problem `network` when four responses in a row brought no record, `gone`, `notNow`; SealError `damaged`
 */
export async function* streamBytes(
  transfer: Transfer,
  file: Stretch,
  done: number,
  wait: SenderWait,
): AsyncGenerator<Uint8Array> {
  const keys = await transfer.streamKeys(file.stream);
  const end = file.at + file.size;
  let position = file.at + done;
  let failures = 0;
  let mended = 0;
  while (position < end) {
    const before = position;
    const answer = await ask(transfer, file.stream, recordsOf(position, end).first * RECORD_BYTES, wait.signal);
    if (answer === "mended") {
      mended += 1;
      if (mended > MAX_MENDED) throw new Problem(EXIT.failed, "The server keeps refusing what it has just allowed.");
      continue;
    }
    if (answer !== null && "retryMs" in answer) {
      await wait.pause(answer.retryMs);
      continue;
    }
    if (answer !== null) {
      for await (const piece of openedRecords(keys, answer, position, end)) {
        position += piece.length;
        yield piece;
      }
    }
    wait.signal.throwIfAborted();
    if (position > before) [failures, mended] = [0, 0];
    else if (answer !== null && transfer.isFollowed) await wait.pause(SENDER_PAUSE_MS);
    else {
      const pauseMs = PAUSES_MS[failures];
      if (pauseMs === undefined)
        throw new Problem(EXIT.network, "The server sends less than the whole file. Try again later.");
      failures += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/**
 * @returns the body; null if a retry may help; `mended` after the link was unlocked again or a download was taken; when to
 * ask again for what the sender has not sent yet
 */
async function ask(
  transfer: Transfer,
  stream: number,
  from: number,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | "mended" | { retryMs: number } | null> {
  const { server } = transfer;
  const response = await server.fetchBytes(transfer.pathOf(stream), from, signal).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  if (response === null) return null;
  const isRange = response.headers.get("content-range")?.startsWith(`bytes ${from}-`) ?? false;
  if ((response.status === 206 && isRange) || (response.status === 200 && from === 0)) return response.body;
  const answer = await readJson(response);
  if (response.status === 401) {
    await transfer.unlockAgain();
    return "mended";
  }
  const { data } = refusal.safeParse(answer);
  if (data?.code === "LEASE_NEEDED") {
    await transfer.take();
    return "mended";
  }
  if (transfer.isFollowed && NOT_YET.has(data?.code ?? "")) {
    const seconds = Number(response.headers.get("retry-after"));
    return { retryMs: seconds > 0 ? seconds * SECOND_MS : SENDER_PAUSE_MS };
  }
  if (transfer.isFollowed && data?.reason === "FILE_CHANGED") throw new ChangedProblem();
  if (transfer.isFollowed && response.status === 404)
    throw new Problem(EXIT.gone, "The sender has cancelled the upload, or it has failed.");
  // After a 416 or a wrong range, the server has fewer bytes than the list of files says.
  if (response.ok || response.status === 416 || response.status >= 500) return null;
  throw refused(response, answer);
}

/** @returns plaintext from `position` to `end`, for all whole records in the body */
async function* openedRecords(
  keys: StreamKeys,
  body: ReadableStream<Uint8Array>,
  position: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const { first, end: last } = recordsOf(position, end);
  const storedEnd = Math.min(last * RECORD_BYTES, sealedSize(keys.plaintextBytes));
  let record = first;
  for await (const sealed of wholeRecords(body, storedEnd - first * RECORD_BYTES)) {
    const plaintext = await openRecords(keys, record, sealed);
    const start = record * RECORD_PLAINTEXT_BYTES;
    record += Math.ceil(sealed.length / RECORD_BYTES);
    yield plaintext.subarray(Math.max(0, position - start), end - start);
  }
}

/** @param length of all records, in bytes @returns whole records, several at once; bytes after the last are dropped */
async function* wholeRecords(
  body: ReadableStream<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let taken = 0;
  let batch = new Uint8Array(Math.min(BATCH_RECORDS * RECORD_BYTES, length));
  let filled = 0;
  for await (const chunk of chunksOf(body)) {
    for (let at = 0; at < chunk.length && taken < length;) {
      const more = Math.min(chunk.length - at, batch.length - filled);
      batch.set(chunk.subarray(at, at + more), filled);
      at += more;
      filled += more;
      if (filled < batch.length) continue;
      yield batch;
      taken += filled;
      filled = 0;
      batch = new Uint8Array(Math.min(BATCH_RECORDS * RECORD_BYTES, length - taken));
    }
    if (taken === length) return;
  }
  const whole = Math.floor(filled / RECORD_BYTES) * RECORD_BYTES;
  if (whole > 0) yield batch.subarray(0, whole);
}

/** Reads a body's chunks. A broken connection only ends the loop: received bytes are kept, and the caller retries. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true as const, value: undefined }));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => null);
  }
}
