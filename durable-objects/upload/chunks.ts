import { crc32 } from "node:zlib";
import { MAX_PARTS } from "#domain/parts.ts";
import type { CompletedPart } from "#domain/wire.ts";
import { logError } from "#worker/log.ts";
import { withMemory } from "#worker/memory.ts";
import { putIncoming, putPart, UploadGoneError } from "#worker/storage/objects.ts";
import type { MultipartUpload } from "../shared/segments.ts";
import type { CompleteResult } from "./results.ts";
import { missingParts, type UploadRecord } from "./state.ts";
import type { UploadStore } from "./store.ts";

/** The parts of a session that `ChunkReceiver` and `Appender` use. */
export interface Receiving {
  storage: DurableObjectStorage;
  store: UploadStore;
  chunks: Chunks;
  /** Saves the record and sets the alarm. */
  save(record: UploadRecord): void;
  /** Called after a chunk was stored. @param count the number of stored chunks */
  onChunk(record: UploadRecord, count: number): void;
  complete(): Promise<CompleteResult>;
}

interface Dependencies {
  storage: DurableObjectStorage;
  bucket: R2Bucket;
  store: UploadStore;
  /**
   * @returns the multipart upload that takes the part; null once the upload has ended @throws Error when R2 does not
   * answer
   */
  open(record: UploadRecord, part: number): Promise<MultipartUpload | null>;
  /** Stores that R2 has a part. */
  onSent(record: UploadRecord, part: CompletedPart): void;
}

/**
 * The bytes of an upload that come through this object. A chunk is smaller than R2's smallest part, so it stays a row
 * until all chunks of its part are stored and R2 has the part. A part that R2 did not take is sent again.
 */
export class Chunks {
  readonly #deps: Dependencies;
  readonly #sql: SqlStorage;
  readonly #sending = new Map<number, Promise<void>>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#sql = deps.storage.sql;
  }

  create(isAppended: boolean): void {
    this.#sql.exec("create table if not exists chunks (i integer primary key, sha256 text not null, bytes blob)");
    if (isAppended)
      this.#sql.exec("create table if not exists edge (i integer primary key check (i = 0), bytes blob not null)");
  }

  /**
   * Stores a chunk. @param sha256 "" for a chunk that is not sent again @param bytes null when R2 already has them as a
   * part
   */
  add(index: number, sha256: string, bytes: ArrayBuffer | null): void {
    this.#sql.exec("insert into chunks values (?, ?, ?)", index, sha256, bytes);
  }

  /** @returns null for a chunk that is not stored */
  sha256Of(index: number): string | null {
    const [row] = this.#sql.exec<{ sha256: string }>("select sha256 from chunks where i = ?", index);
    return row?.sha256 ?? null;
  }

  /** The number of the next chunk, for an upload whose chunks come in order. */
  next(): number {
    const { last } = this.#sql.exec<{ last: number | null }>("select max(i) as last from chunks").one();
    return last === null ? 0 : last + 1;
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("select count(*) as n from chunks").one().n;
  }

  missing(record: UploadRecord, max: number): number[] {
    const rows = this.#sql.exec<{ i: number }>("select i from chunks").toArray();
    const storedIndexes = new Set(rows.map(({ i }) => i));
    const missing: number[] = [];
    const { chunkCount } = chunkPlanOf(record);
    for (let index = 0; index < chunkCount && missing.length < max; index += 1) {
      if (!storedIndexes.has(index)) missing.push(index);
    }
    return missing;
  }

  deleteFrom(index: number): void {
    this.#sql.exec("delete from chunks where i >= ?", index);
  }

  /**
   * Deletes the chunks of parts that were sent. Call it after R2 has answered that it lacks these parts. @param firstPart
   * and `lastPart`: by default all
   */
  deleteSent(record: UploadRecord, firstPart = 1, lastPart = MAX_PARTS): void {
    const { chunksPerPart } = chunkPlanOf(record);
    const [from, to] = [(firstPart - 1) * chunksPerPart, lastPart * chunksPerPart];
    this.#sql.exec("delete from chunks where bytes is null and i >= ? and i < ?", from, to);
  }

  /** The bytes after the last whole chunk of an appended upload: less than a chunk. */
  edge(): Uint8Array {
    const [row] = this.#sql.exec<{ bytes: ArrayBuffer }>("select bytes from edge");
    return row ? new Uint8Array(row.bytes) : new Uint8Array();
  }

  edgeLength(): number {
    const [row] = this.#sql.exec<{ n: number }>("select length(bytes) as n from edge");
    return row?.n ?? 0;
  }

  /** Replaces the bytes after the last whole chunk. */
  setEdge(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) this.#sql.exec("delete from edge");
    else this.#sql.exec("insert or replace into edge values (0, ?)", bytes.slice().buffer);
  }

  /**
   * Sends the given parts if all their chunks are stored; by default all parts that R2 lacks. @returns false when R2
   * does not answer
   */
  async send(
    record: UploadRecord,
    parts = missingParts(record, new Set(this.#deps.store.partNumbers())),
  ): Promise<boolean> {
    const { fileId, partSizeBytes, contentType } = record.plan;
    try {
      // An empty file has no chunk and no part.
      if (partSizeBytes === null) await putIncoming(this.#deps.bucket, fileId, "", contentType);
      for (const part of parts) await this.#sendOnce(record, part);
      return true;
    } catch (error) {
      logSendFailure(record, error);
      return false;
    }
  }

  /** @throws UploadGoneError; Error when R2 does not answer */
  async sendPart(record: UploadRecord, part: number, bytes: Uint8Array): Promise<void> {
    const { bucket, store, open, onSent } = this.#deps;
    const upload = await open(record, part);
    if (!upload) throw new UploadGoneError();
    const etag = await putPart(bucket, upload.key, upload.r2UploadId, part - upload.firstPart + 1, bytes);
    // The upload may have ended while the part was being sent.
    const current = store.find();
    if (current) onSent(current, { part, etag, crc32: crc32(bytes).toString(16).padStart(8, "0") });
  }

  #sendOnce(record: UploadRecord, part: number): Promise<void> {
    const running = this.#sending.get(part);
    if (running) return running;
    const sending = this.#sendStored(record, part).finally(() => this.#sending.delete(part));
    this.#sending.set(part, sending);
    return sending;
  }

  async #sendStored(record: UploadRecord, part: number): Promise<void> {
    const { chunksPerPart, chunkCount } = chunkPlanOf(record);
    const from = (part - 1) * chunksPerPart;
    const to = Math.min(part * chunksPerPart, chunkCount);
    const stored = "from chunks where i >= ? and i < ? and bytes is not null";
    const { n, lengthBytes } = this.#sql
      .exec<{ n: number; lengthBytes: number }>(
        `select count(*) as n, ifnull(sum(length(bytes)), 0) as lengthBytes ${stored}`,
        from,
        to,
      )
      .one();
    if (n !== to - from) return;
    await withMemory(lengthBytes, Infinity, async () => {
      const partBytes = new Uint8Array(lengthBytes);
      let filled = 0;
      for (const { bytes } of this.#sql.exec<{ bytes: ArrayBuffer }>(`select bytes ${stored} order by i`, from, to)) {
        partBytes.set(new Uint8Array(bytes), filled);
        filled += bytes.byteLength;
      }
      // The chunks may have been dropped while this waited for memory.
      if (filled !== lengthBytes) return;
      await this.sendPart(record, part, partBytes);
      // The rows stay without their bytes, so that a repeated chunk is still recognized.
      this.#sql.exec("update chunks set bytes = null where i >= ? and i < ?", from, to);
    });
  }
}

export function logSendFailure({ plan }: UploadRecord, error: unknown): void {
  logError("upload.flush_failed", error, { uploadId: plan.fileId });
}

/** The plan of chunks, with sizes in bytes. @throws Error for an upload that does not come in chunks */
export function chunkPlanOf({ plan }: UploadRecord) {
  const { chunkSizeBytes, partSizeBytes, lifetime } = plan;
  if (chunkSizeBytes === null) throw new Error(`upload ${plan.fileId} does not come in chunks`);
  const { sizeBytes } = lifetime;
  const chunkCount = Math.ceil(sizeBytes / chunkSizeBytes);
  return { sizeBytes, chunkSizeBytes, chunkCount, chunksPerPart: (partSizeBytes ?? chunkSizeBytes) / chunkSizeBytes };
}
