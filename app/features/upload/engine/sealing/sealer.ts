import { createCRC32, createSHA256 } from "hash-wasm";
import type { Bytes } from "#domain/seal/keys.ts";
import { markOf } from "#domain/seal/marks.ts";
import { deriveStreamKeys, recordNonces, sealRecords, type StreamKeys } from "#domain/seal/records.ts";
import { RECORD_BYTES, recordRange, sealedSize } from "#domain/seal/sizes.ts";
import { readExactly } from "../transfer/read-exactly.ts";
import type { ReadFailure } from "../transfer/read-messages.ts";
import type { PlainSums, SealAnswer, SealedRange, SealRequest } from "./seal-messages.ts";

type Hasher = Awaited<ReturnType<typeof createSHA256>>;
type RequestOf<Kind extends SealRequest["kind"]> = Extract<SealRequest, { kind: Kind }>;

const NOTHING: SealAnswer = { body: new Blob(), crc32: "", marks: [], sums: [], failures: [] };

/** Encrypts files by stretches. Answers requests in their order, and reads ahead meanwhile. */
export class Sealer {
  /** Large streams that are being sealed, with the part that has to follow. */
  readonly #begun = new Map<number, { sums: RunningSums; next: number }>();
  #line: Promise<unknown> = Promise.resolve();

  answer(request: SealRequest): Promise<SealAnswer> {
    if (request.kind === "check") return this.#check(request);
    const reading = request.kind === "pack" ? readFiles(request) : readRange(request.file, request);
    const answer = this.#line.then(async () => {
      const read = await reading;
      if (!Array.isArray(read)) return { ...NOTHING, failures: read.failures };
      return request.kind === "pack" ? sealPack(request, read) : this.#sealPart(request, read[0] ?? new Uint8Array());
    });
    this.#line = answer.catch(() => undefined);
    return answer;
  }

  async #sealPart(request: RequestOf<"part">, plaintext: Bytes): Promise<SealAnswer> {
    const { keys, stream, file, part, start, end, needsSums } = request;
    const streamKeys = await deriveStreamKeys(keys, stream, file.size);
    const first = Math.floor(start / RECORD_BYTES);
    const { pieces, nonces } = await sealRecords(streamKeys, first, plaintext);
    const [mark, sums] = await Promise.all([
      markOf(keys, stream, part, nonces),
      needsSums ? this.#sum(stream, part, plaintext, end === sealedSize(file.size)) : [],
    ]);
    // A small chunk begins and ends within a record.
    const body = new Blob(pieces).slice(start - first * RECORD_BYTES, end - first * RECORD_BYTES);
    const isWhole = body.size === pieces.reduce((sum, { length }) => sum + length, 0);
    const crc32 = await crcOf(isWhole ? pieces : [new Uint8Array(await body.arrayBuffer())]);
    return { ...NOTHING, body, crc32, marks: [mark], sums };
  }

  async #sum(stream: number, part: number, plaintext: Bytes, isLast: boolean): Promise<PlainSums[]> {
    if (part === 1) this.#begun.set(stream, { sums: await RunningSums.start(), next: 1 });
    const begun = this.#begun.get(stream);
    if (begun?.next !== part) {
      this.#begun.delete(stream);
      return [];
    }
    begun.next += 1;
    begun.sums.update(plaintext);
    if (!isLast) return [];
    this.#begun.delete(stream);
    return [begun.sums.digest()];
  }

  async #check({ keys, stream, file, ranges }: RequestOf<"check">): Promise<SealAnswer> {
    const streamKeys = await deriveStreamKeys(keys, stream, file.size);
    const sums = await RunningSums.start();
    const marks: string[] = [];
    /** Bytes of the file that the sums hold: small chunks share a record. */
    let summedBytes = 0;
    for (const range of ranges) {
      const read = await readRange(file, range);
      if (!Array.isArray(read)) return { ...NOTHING, failures: read.failures };
      const [plaintext = new Uint8Array()] = read;
      const first = Math.floor(range.start / RECORD_BYTES);
      marks.push(await markOf(keys, stream, range.part, await recordNonces(streamKeys, first, plaintext)));
      const { start } = recordRange(file.size, first);
      sums.update(plaintext.subarray(summedBytes - start));
      summedBytes = start + plaintext.length;
    }
    return { ...NOTHING, marks, sums: [sums.digest()] };
  }
}

async function sealPack({ keys, files }: RequestOf<"pack">, read: Bytes[]): Promise<SealAnswer> {
  const pieces: Bytes[] = [];
  const marks: string[] = [];
  const sums: PlainSums[] = [];
  const running = await RunningSums.start();
  for (const [index, { stream }] of files.entries()) {
    const plaintext = read[index] ?? new Uint8Array();
    const streamKeys: StreamKeys = await deriveStreamKeys(keys, stream, plaintext.length);
    const sealed = await sealRecords(streamKeys, 0, plaintext);
    pieces.push(...sealed.pieces);
    marks.push(await markOf(keys, stream, 1, sealed.nonces));
    sums.push(running.restart().update(plaintext).digest());
  }
  return { ...NOTHING, body: new Blob(pieces), crc32: await crcOf(pieces), marks, sums };
}

/** SHA-256 and CRC-32 of a file that comes in pieces. */
class RunningSums {
  readonly #sha256: Hasher;
  readonly #crc32: Hasher;

  private constructor(sha256: Hasher, crc32: Hasher) {
    this.#sha256 = sha256;
    this.#crc32 = crc32;
  }

  static async start(): Promise<RunningSums> {
    return new RunningSums(...(await Promise.all([createSHA256(), createCRC32()])));
  }

  restart(): this {
    this.#sha256.init();
    this.#crc32.init();
    return this;
  }

  update(bytes: Bytes): this {
    this.#sha256.update(bytes);
    this.#crc32.update(bytes);
    return this;
  }

  digest(): PlainSums {
    return { sha256: this.#sha256.digest("hex"), crc32: this.#crc32.digest("hex") };
  }
}

async function crcOf(pieces: Bytes[]): Promise<string> {
  const hasher = await createCRC32();
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest("hex");
}

type Read = Bytes[] | { failures: ReadFailure[] };

async function readFiles({ files }: RequestOf<"pack">): Promise<Read> {
  const read = await Promise.all(files.map(({ file }) => readExactly(file, file.size)));
  const failures = read.flatMap((bytes, index) => (typeof bytes === "string" ? [{ index, error: bytes }] : []));
  if (failures.length > 0) return { failures };
  return read.flatMap((bytes) => (typeof bytes === "string" ? [] : [new Uint8Array(bytes)]));
}

/** The plaintext of the records that a stretch of sealed bytes has a part in. */
async function readRange(file: Blob, { start, end }: Pick<SealedRange, "start" | "end">): Promise<Read> {
  const from = recordRange(file.size, Math.floor(start / RECORD_BYTES)).start;
  const to = recordRange(file.size, Math.ceil(end / RECORD_BYTES) - 1).end;
  const bytes = await readExactly(file.slice(from, to), to - from);
  return typeof bytes === "string" ? { failures: [{ index: 0, error: bytes }] } : [new Uint8Array(bytes)];
}
