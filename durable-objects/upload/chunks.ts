import type { ErrorCode } from "#domain/errors.ts";
import { MARK_MISSING } from "./results.ts";
import type { UploadRecord } from "./state.ts";

export interface Chunk {
  /** From 0. */
  index: number;
  bytes: ArrayBuffer;
  /** Hex. */
  sha256: string;
  /** Only of a sealed upload. */
  mark?: string | undefined;
}

export type ChunkCheck =
  | { kind: "new" }
  /** A repeated chunk. */
  | { kind: "known" }
  | { kind: "rejected"; code: ErrorCode; message?: string; maxChunkSize?: number };

/** Keeps chunks until their part is complete: a chunk is smaller than R2's smallest part. */
export class ChunkStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  create(): void {
    this.#storage.sql.exec(
      "create table if not exists chunks (i integer primary key, sha256 text not null, bytes blob)",
    );
  }

  check(record: UploadRecord, { index, bytes, sha256, mark }: Chunk): ChunkCheck {
    const plan = chunkPlan(record);
    if (!plan) return { kind: "rejected", code: "BAD_REQUEST", message: "This upload does not come in chunks." };
    if (record.plan.isSealed && mark === undefined) return { kind: "rejected", ...MARK_MISSING };
    if (index >= plan.chunkCount) {
      return {
        kind: "rejected",
        code: "BAD_REQUEST",
        message: `This upload has ${plan.chunkCount} chunks, the first is 0.`,
      };
    }
    if (bytes.byteLength > plan.chunkSizeBytes)
      return { kind: "rejected", code: "CHUNK_TOO_LARGE", maxChunkSize: plan.chunkSizeBytes };
    const expectedBytes = Math.min(plan.chunkSizeBytes, plan.sizeBytes - index * plan.chunkSizeBytes);
    if (bytes.byteLength !== expectedBytes) {
      return { kind: "rejected", code: "BAD_REQUEST", message: `Chunk ${index} has to hold ${expectedBytes} bytes.` };
    }
    const [stored] = this.#storage.sql.exec<{ sha256: string }>("select sha256 from chunks where i = ?", index);
    if (!stored) return { kind: "new" };
    return stored.sha256 === sha256 ? { kind: "known" } : { kind: "rejected", code: "CHUNK_CONFLICT" };
  }

  /** @param keepBytes false when R2 already has the chunk as a part */
  add({ index, bytes, sha256 }: Chunk, keepBytes: boolean): void {
    this.#storage.sql.exec("insert into chunks values (?, ?, ?)", index, sha256, keepBytes ? bytes : null);
  }

  /** The number of the chunk after the last one, of an upload whose chunks come in their order. */
  next(): number {
    const { last } = this.#storage.sql.exec<{ last: number | null }>("select max(i) as last from chunks").one();
    return last === null ? 0 : last + 1;
  }

  /** Adds the next chunk. It has no checksum: it does not come again. */
  append(bytes: Uint8Array): void {
    this.#storage.sql.exec("insert into chunks values (?, '', ?)", this.next(), bytes.slice().buffer);
  }

  deleteFrom(index: number): void {
    this.#storage.sql.exec("delete from chunks where i >= ?", index);
  }

  /** Call this after R2 has answered that it lacks those parts. */
  deleteSent(): void {
    this.#storage.sql.exec("delete from chunks where bytes is null");
  }

  count(): number {
    return this.#storage.sql.exec<{ n: number }>("select count(*) as n from chunks").one().n;
  }

  missing(record: UploadRecord, max: number): number[] {
    const storedIndexes = new Set(
      this.#storage.sql
        .exec<{ i: number }>("select i from chunks")
        .toArray()
        .map(({ i }) => i),
    );
    const missing: number[] = [];
    const count = chunkPlan(record)?.chunkCount ?? 0;
    for (let index = 0; index < count && missing.length < max; index += 1) {
      if (!storedIndexes.has(index)) missing.push(index);
    }
    return missing;
  }

  readPart(record: UploadRecord, part: number): Uint8Array | null {
    const plan = chunkPlan(record);
    if (!plan) return null;
    const { from, to } = chunksOf(plan, part);
    const rows = this.#storage.sql
      .exec<{ bytes: ArrayBuffer | null }>("select bytes from chunks where i >= ? and i < ? order by i", from, to)
      .toArray();
    const chunks = rows.flatMap(({ bytes }) => (bytes === null ? [] : [new Uint8Array(bytes)]));
    if (chunks.length !== to - from) return null;
    const partBytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0));
    let offset = 0;
    for (const chunk of chunks) {
      partBytes.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return partBytes;
  }

  /** Call this once R2 has the part. The rows stay, so a repeated chunk is still recognized. */
  deleteBytes(record: UploadRecord, part: number): void {
    const plan = chunkPlan(record);
    if (!plan) return;
    const { from, to } = chunksOf(plan, part);
    this.#storage.sql.exec("update chunks set bytes = null where i >= ? and i < ?", from, to);
  }
}

interface ChunkPlan {
  sizeBytes: number;
  chunkSizeBytes: number;
  chunkCount: number;
  chunksPerPart: number;
}

/** Of an upload that comes in chunks. @throws Error for another one */
export function getChunkPlan(record: UploadRecord): ChunkPlan {
  const plan = chunkPlan(record);
  if (!plan) throw new Error(`upload ${record.plan.fileId} does not come in chunks`);
  return plan;
}

function chunkPlan({ plan }: UploadRecord): ChunkPlan | null {
  const { chunkSizeBytes, partSizeBytes, lifetime } = plan;
  if (chunkSizeBytes === null) return null;
  return {
    sizeBytes: lifetime.sizeBytes,
    chunkSizeBytes,
    chunkCount: Math.ceil(lifetime.sizeBytes / chunkSizeBytes),
    chunksPerPart: (partSizeBytes ?? chunkSizeBytes) / chunkSizeBytes,
  };
}

/** @returns chunk indexes, `to` exclusive */
function chunksOf({ chunksPerPart, chunkCount }: ChunkPlan, part: number): { from: number; to: number } {
  return { from: (part - 1) * chunksPerPart, to: Math.min(part * chunksPerPart, chunkCount) };
}

export function partOfChunk(record: UploadRecord, index: number): number {
  return Math.floor(index / (chunkPlan(record)?.chunksPerPart ?? 1)) + 1;
}

export function chunksAreParts(record: UploadRecord): boolean {
  return chunkPlan(record)?.chunksPerPart === 1;
}
