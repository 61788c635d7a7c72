import { AppError } from "#domain/errors.ts";
import { stretchesOf, type ObjectLayout, type Placed } from "#domain/segments.ts";
import { KIB, MIB, MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { DescribedEntry } from "#durable-objects/transfer/described-entry.ts";
import type { FollowResult } from "#durable-objects/upload/results.ts";
import { sessionOf, toAppError, transferSessionOf } from "../callers/sessions.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { logError } from "../log.ts";
import { failedUploadError } from "../errors/link-errors.ts";
import type { Services } from "../services.ts";
import { numberedKey } from "../storage/keys.ts";
import { openObject, type ByteRange, type SendBytes } from "./representation.ts";
import { sendPieces } from "./send-pieces.ts";

/** How long a reader waits for the first byte before it is told to come again. */
const FIRST_BYTE_WAIT_MS = 20 * SECOND_MS;

/** The longest pause between two bytes: HTTP/3 connections end after 30 s of silence, and aria2 gives up after 60 s. */
const DROP_EVERY_MS = 15 * SECOND_MS;

/** What is kept back for pauses. Given in drops, it lasts for half an hour. */
const RESERVE_BYTES = 64 * KIB;
const DROP_BYTES = 512;

/** The end of the file goes out only once the upload is complete, so that nobody has a whole file that never was. */
const TAIL_BYTES = 64 * KIB;

/** How long a response waits that has no bytes to give, because its range is ahead of the sender. */
const HELD_FOR_MS = 5 * MINUTE_MS;

/** How much a response sends before it asks again, so that it ends soon after its upload was cancelled. */
const READ_BYTES = 16 * MIB;

/**
 * The wait before the upload's object is asked again after a failed call, and how many failures in a row end a response.
 */
const ASK_AGAIN_MS = SECOND_MS;
const MAX_FAILED_CALLS = 5;

const NOT_YET = { retryAfterSeconds: 5 };
const FULL = { retryAfterSeconds: 60 };

/** How far the file can be read. */
type Stored = Extract<FollowResult, { ok: true }>;

export type FollowedFile = FileRow & { layout: ObjectLayout };

/** Whether a file can be read while it uploads. */
export function canBeFollowed(file: FileRow): file is FollowedFile {
  return file.status === "uploading" && file.layout !== null;
}

export type FollowedEntry = DescribedEntry & { object: number; layout: ObjectLayout };

/** Whether an entry of a transfer can be read while it uploads. */
export function canEntryBeFollowed(entry: DescribedEntry): entry is FollowedEntry {
  return entry.state === "arriving" && entry.object !== null && entry.layout !== undefined;
}

/** Bytes that can be read while they are uploaded. */
interface Followed {
  /** Of the upload. */
  id: string;
  sizeBytes: number;
  placed: Placed;
  /** As `follow` of the upload's object. @param response names the response */
  ask(response: string, from: number, waitMs: number): Promise<FollowResult>;
  leave(response: string): Promise<void>;
}

export function followedFile(services: Services, file: FollowedFile): Followed {
  const { id, size: sizeBytes, layout } = file;
  return {
    id,
    sizeBytes,
    placed: { object: 0, offset: 0, layout },
    ask: async (...call) => sessionOf(services, file).follow(...call),
    leave: async (response) => sessionOf(services, file).unfollow(response),
  };
}

export function followedEntry(
  services: Services,
  file: FileRow,
  { n, sizeBytes, object, layout }: FollowedEntry,
): Followed {
  const followed = { fileId: file.id, n, object };
  return {
    id: file.id,
    sizeBytes,
    placed: { object, offset: 0, layout },
    ask: (...call) => transferSessionOf(services, file).follow(followed, ...call),
    leave: (response) => transferSessionOf(services, file).unfollow(response),
  };
}

/** The error for a file that is still uploading and cannot be read yet. */
export function notReadableYet(): AppError {
  return new AppError("UPLOAD_UNFINISHED", NOT_YET);
}

/** One response that reads a file, or an entry of a transfer, while it uploads (decision 056). */
export class FollowingReader {
  readonly #services: Services;
  readonly #followed: Followed;
  /** Names this response to the upload's object, which counts responses. */
  readonly #name = crypto.randomUUID();
  #isAdmitted = false;

  constructor(services: Services, followed: Followed) {
    this.#services = services;
    this.#followed = followed;
  }

  /**
   * Opens a range of the file. The first call of a response waits until the file has a first byte, if the range begins
   * with it. @throws AppError UPLOAD_UNFINISHED if it has none for 20 s, TOO_MANY_FOLLOWERS, FILE_NOT_FOUND once the
   * upload has failed
   */
  async open(range: ByteRange): Promise<SendBytes> {
    if (!this.#isAdmitted) await this.#admit(range.offset);
    this.#isAdmitted = true;
    return async (to, options = {}) => {
      try {
        await this.#send(range, to, options);
      } catch (error) {
        await Promise.all([to.abort(error).catch(() => undefined), this.#leave()]);
        throw error;
      }
      // Otherwise another stretch of the same response follows.
      if (options.preventClose !== true) await this.#leave();
    };
  }

  async #admit(offset: number): Promise<void> {
    const until = Date.now() + FIRST_BYTE_WAIT_MS;
    for (;;) {
      const waitMs = offset > 0 ? 0 : Math.min(DROP_EVERY_MS, until - Date.now());
      const { isReady, storedTo } = await this.#ask(0, waitMs);
      if (offset > 0 || isReady || storedTo > 0) return;
      if (Date.now() < until) continue;
      await this.#leave();
      throw notReadableYet();
    }
  }

  /** Sends what is stored, as it is stored, and a few bytes of it in each pause. */
  async #send(
    { offset, length }: ByteRange,
    to: WritableStream<Uint8Array>,
    { preventClose = false, signal }: NonNullable<Parameters<SendBytes>[1]>,
  ): Promise<void> {
    const { sizeBytes: size } = this.#followed;
    const end = offset + length;
    const beforeTail = Math.min(end, size - TAIL_BYTES);
    // A stretch that others follow keeps bytes for the pauses before them.
    const kept = preventClose ? RESERVE_BYTES : 0;
    let at = offset;
    let sentAt = Date.now();
    let stored = await this.#ask(at, 0);
    for (;;) {
      signal?.throwIfAborted();
      const { isReady, storedTo } = stored;
      const readable = isReady ? end : storedTo - kept >= beforeTail ? beforeTail : storedTo - RESERVE_BYTES;
      if (readable > at) {
        const next = isReady ? end : Math.min(readable, at + READ_BYTES);
        await this.#sendStored(at, next, to, signal);
        at = next;
        sentAt = Date.now();
      }
      if (at === end) break;
      const from = at < readable ? at : Math.max(at, storedTo);
      stored = await this.#ask(from, DROP_EVERY_MS);
      if (stored.isReady || stored.storedTo > from) continue;
      const dropTo = Math.min(at + DROP_BYTES, end, storedTo, size - DROP_BYTES);
      if (dropTo > at) {
        await this.#sendStored(at, dropTo, to, signal);
        at = dropTo;
        sentAt = Date.now();
      } else if (Date.now() - sentAt >= HELD_FOR_MS) throw new Error("the response has nothing to give");
    }
    if (!preventClose) await to.close();
  }

  async #sendStored(
    from: number,
    end: number,
    to: WritableStream<Uint8Array>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { bucket } = this.#services;
    const { id, placed } = this.#followed;
    const send = await sendPieces(stretchesOf(placed, from, end), (piece) =>
      openObject(bucket, numberedKey(id, piece.object), piece),
    );
    await send(to, { preventClose: true, ...(signal && { signal }) });
  }

  /**
   * Asks the upload's object how far the bytes can be read. If that is no further than `from`, waits for up to `waitMs`.
   * @throws AppError TOO_MANY_FOLLOWERS, FILE_NOT_FOUND once the upload has failed, FILE_EXPIRED for a removed entry,
   * UPLOAD_UNFINISHED for an entry that is sent anew
   */
  async #ask(from: number, waitMs: number): Promise<Stored> {
    const until = Date.now() + waitMs;
    for (let failures = 0; ;) {
      const answer = await this.#call(from, until - Date.now());
      if (answer === null) {
        failures += 1;
        if (failures === MAX_FAILED_CALLS) throw new AppError("STORAGE_UNAVAILABLE");
        await scheduler.wait(ASK_AGAIN_MS);
        continue;
      }
      if (answer.ok) {
        // The object does not wait for a silent sender, so that it can sleep.
        const leftMs = until - Date.now();
        if (!answer.isReady && answer.storedTo <= from && leftMs > 0) await scheduler.wait(leftMs);
        return answer;
      }
      if (answer.code === "TOO_MANY_FOLLOWERS") throw new AppError(answer.code, FULL);
      if (answer.code === "FILE_CHANGED") throw failedUploadError(answer.code);
      if (answer.code !== "NO_UPLOAD" && answer.code !== "UPLOAD_CLOSED") throw toAppError(answer);
      // An hour after the end, only the row knows how the upload ended.
      const row = await findFileById(this.#services.db, this.#followed.id);
      if (row?.status === "ready" && row.deletedAt === null)
        return { ok: true, isReady: true, storedTo: this.#followed.sizeBytes };
      throw new AppError("FILE_NOT_FOUND");
    }
  }

  /** @returns null when the object does not answer, for example because it was moved */
  async #call(from: number, waitMs: number): Promise<FollowResult | null> {
    try {
      return await this.#followed.ask(this.#name, from, Math.max(0, waitMs));
    } catch (error) {
      logError("download.follow_failed", error, { uploadId: this.#followed.id });
      return null;
    }
  }

  async #leave(): Promise<void> {
    await this.#followed.leave(this.#name).catch(() => undefined);
  }
}
