import type { ErrorCode } from "#domain/errors.ts";
import type { UploadRecord } from "./upload-state.ts";

/** The chunks of an upload: too small to be R2 parts, so they are kept here until a whole part of them is there. */

export interface Chunk {
  /** From 0. */
  index: number;
  bytes: ArrayBuffer;
  /** Hex. */
  sha256: string;
}

export type ChunkVerdict =
  | { kind: "new" }
  /** The very same chunk is here already. */
  | { kind: "known" }
  | { kind: "refused"; code: ErrorCode; message?: string; maxChunkSize?: number };

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

  judge(record: UploadRecord, { index, bytes, sha256 }: Chunk): ChunkVerdict {
    const plan = chunkPlan(record);
    if (!plan) return { kind: "refused", code: "BAD_REQUEST", message: "This upload does not come in chunks." };
    if (index >= plan.chunkCount) {
      return {
        kind: "refused",
        code: "BAD_REQUEST",
        message: `This upload has ${plan.chunkCount} chunks, the first is 0.`,
      };
    }
    if (bytes.byteLength > plan.chunkSizeBytes)
      return { kind: "refused", code: "CHUNK_TOO_LARGE", maxChunkSize: plan.chunkSizeBytes };
    const expected = Math.min(plan.chunkSizeBytes, plan.sizeBytes - index * plan.chunkSizeBytes);
    if (bytes.byteLength !== expected) {
      return { kind: "refused", code: "BAD_REQUEST", message: `Chunk ${index} has to hold ${expected} bytes.` };
    }
    const [known] = this.#storage.sql.exec<{ sha256: string }>("select sha256 from chunks where i = ?", index);
    if (!known) return { kind: "new" };
    return known.sha256 === sha256 ? { kind: "known" } : { kind: "refused", code: "CHUNK_CONFLICT" };
  }

  /** @param keepBytes false once the bytes are a part of their own */
  add({ index, bytes, sha256 }: Chunk, keepBytes: boolean): void {
    this.#storage.sql.exec("insert into chunks values (?, ?, ?)", index, sha256, keepBytes ? bytes : null);
  }

  /** Forgets the chunks whose bytes went to storage as parts: storage says that it does not have them. */
  forgetSent(): void {
    this.#storage.sql.exec("delete from chunks where bytes is null");
  }

  count(): number {
    return this.#storage.sql.exec<{ n: number }>("select count(*) as n from chunks").one().n;
  }

  /** Chunks that have not come, in order. */
  missing(record: UploadRecord, most: number): number[] {
    const known = new Set(
      this.#storage.sql
        .exec<{ i: number }>("select i from chunks")
        .toArray()
        .map(({ i }) => i),
    );
    const missing: number[] = [];
    const count = chunkPlan(record)?.chunkCount ?? 0;
    for (let index = 0; index < count && missing.length < most; index += 1) if (!known.has(index)) missing.push(index);
    return missing;
  }

  /** The bytes of a part whose chunks are all here, or null. */
  wholePart(record: UploadRecord, part: number): Uint8Array | null {
    const plan = chunkPlan(record);
    if (!plan) return null;
    const { from, to } = chunksOf(plan, part);
    const rows = this.#storage.sql
      .exec<{ bytes: ArrayBuffer | null }>("select bytes from chunks where i >= ? and i < ? order by i", from, to)
      .toArray();
    const pieces = rows.flatMap(({ bytes }) => (bytes === null ? [] : [new Uint8Array(bytes)]));
    if (pieces.length !== to - from) return null;
    const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.byteLength, 0));
    let offset = 0;
    for (const piece of pieces) {
      whole.set(piece, offset);
      offset += piece.byteLength;
    }
    return whole;
  }

  /** Drops the bytes of a part that storage has now; that they were here is still known. */
  dropBytes(record: UploadRecord, part: number): void {
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

/** The chunks of a part: from, and up to but not including to. */
function chunksOf({ chunksPerPart, chunkCount }: ChunkPlan, part: number): { from: number; to: number } {
  return { from: (part - 1) * chunksPerPart, to: Math.min(part * chunksPerPart, chunkCount) };
}

/** The part that a chunk belongs to, from 1. */
export function partOfChunk(record: UploadRecord, index: number): number {
  return Math.floor(index / (chunkPlan(record)?.chunksPerPart ?? 1)) + 1;
}

/** Whether each chunk is a part of its own. */
export function chunksAreParts(record: UploadRecord): boolean {
  return chunkPlan(record)?.chunksPerPart === 1;
}
