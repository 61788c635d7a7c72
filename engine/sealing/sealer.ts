import { concat, type Bytes } from "#domain/seal/keys.ts";
import { markOf } from "#domain/seal/marks.ts";
import { deriveStreamKeys, recordNonces, sealRecords, type StreamKeys } from "#domain/seal/records.ts";
import { RECORD_BYTES, recordRange, sealedSize } from "#domain/seal/sizes.ts";
import { BlobCollector, freeBuffers } from "../memory.ts";
import type { Hasher, Hashers } from "../ports.ts";
import type { ReadFailure } from "../read-messages.ts";
import { readExactly } from "../reading-thread.ts";
import type { PlainSums, SealAnswer, SealedRange, SealRequest } from "./seal-messages.ts";

/** 2 MiB. When two threads read whole parts at once, a tab took more than 300 MB. */
const RECORDS_PER_READ = 8;

type RequestOf<Kind extends SealRequest["kind"]> = Extract<SealRequest, { kind: Kind }>;

const NOTHING: SealAnswer = { body: new Blob([]), crc32: "", marks: [], sums: [], failures: [] };

/** Seals files range by range. Answers requests in their order. */
export class Sealer {
  readonly #hashers: Hashers;
  /** Running sums of large streams, with the number of the part that must follow. */
  readonly #begun = new Map<number, { sums: RunningSums; next: number }>();
  readonly #collector = new BlobCollector();
  #line: Promise<unknown> = Promise.resolve();

  constructor(hashers: Hashers) {
    this.#hashers = hashers;
  }

  answer(request: SealRequest): Promise<SealAnswer> {
    const answer = this.#line.then(() => this.#answer(request)).catch(failuresOf);
    this.#line = answer.catch(() => undefined);
    return answer;
  }

  #answer(request: SealRequest): Promise<SealAnswer> {
    if (request.kind === "check") return check(this.#hashers, request);
    return request.kind === "pack" ? this.#sealPack(request) : this.#sealPart(request);
  }

  async #sealPack({ keys, files }: RequestOf<"pack">): Promise<SealAnswer> {
    const read = await readFiles(files);
    const body = await SealedBody.start(this.#hashers);
    const marks: string[] = [];
    const sums: PlainSums[] = [];
    const running = await RunningSums.start(this.#hashers);
    for (const [index, { stream }] of files.entries()) {
      const plaintext = read[index] ?? new Uint8Array();
      const streamKeys: StreamKeys = await deriveStreamKeys(keys, stream, plaintext.length);
      const sealed = await sealRecords(streamKeys, 0, plaintext);
      body.add(sealed.pieces);
      marks.push(await markOf(keys, stream, 1, sealed.nonces));
      sums.push(running.restart().update(plaintext).digest());
    }
    return { ...NOTHING, ...(await this.#finish(body)), marks, sums };
  }

  async #sealPart({ keys, stream, file, needsSums, ...range }: RequestOf<"part">): Promise<SealAnswer> {
    const { part, start, end } = range;
    const streamKeys = await deriveStreamKeys(keys, stream, file.size);
    const sums = needsSums ? await this.#takeSums(stream, part) : null;
    const body = await SealedBody.start(this.#hashers);
    const nonces: Bytes[] = [];
    for await (const { first, plaintext } of readRecords(file, range)) {
      const sealed = await sealRecords(streamKeys, first, plaintext);
      body.add(sealed.pieces);
      nonces.push(sealed.nonces);
      sums?.update(plaintext);
    }
    const isLast = end === sealedSize(file.size);
    if (sums && !isLast) this.#begun.set(stream, { sums, next: part + 1 });
    // A small chunk begins and ends within a record.
    const from = Math.floor(start / RECORD_BYTES) * RECORD_BYTES;
    return {
      ...NOTHING,
      ...(await this.#finish(body, start - from, end - from)),
      marks: [await markOf(keys, stream, part, concat(...nonces))],
      sums: sums && isLast ? [sums.digest()] : [],
    };
  }

  async #finish(body: SealedBody, start?: number, end?: number): Promise<Pick<SealAnswer, "body" | "crc32">> {
    const finished = await body.finish(start, end);
    this.#collector.add(finished.body.size);
    return finished;
  }

  /** @returns null unless all earlier parts have come in order */
  async #takeSums(stream: number, part: number): Promise<RunningSums | null> {
    const begun = this.#begun.get(stream);
    this.#begun.delete(stream);
    if (part === 1) return RunningSums.start(this.#hashers);
    return begun?.next === part ? begun.sums : null;
  }
}

async function check(hashers: Hashers, { keys, stream, file, ranges }: RequestOf<"check">): Promise<SealAnswer> {
  const streamKeys = await deriveStreamKeys(keys, stream, file.size);
  const sums = await RunningSums.start(hashers);
  const marks: string[] = [];
  /** How many bytes of the file are in the sums. Small chunks share a record, whose bytes must be summed only once. */
  let summedBytes = 0;
  for (const range of ranges) {
    const nonces: Bytes[] = [];
    for await (const { first, plaintext } of readRecords(file, range)) {
      nonces.push(await recordNonces(streamKeys, first, plaintext));
      const { start } = recordRange(file.size, first);
      sums.update(plaintext.subarray(summedBytes - start));
      summedBytes = start + plaintext.length;
    }
    marks.push(await markOf(keys, stream, range.part, concat(...nonces)));
  }
  return { ...NOTHING, marks, sums: [sums.digest()] };
}

/** Collects sealed bytes in order, with their CRC-32. */
class SealedBody {
  readonly #pieces: Blob[] = [];
  readonly #crc32: Hasher;

  private constructor(crc32: Hasher) {
    this.#crc32 = crc32;
  }

  static async start(hashers: Hashers): Promise<SealedBody> {
    return new SealedBody(await hashers.crc32());
  }

  /** Adds bytes, then frees their buffers. */
  add(pieces: Bytes[]): void {
    // A Blob copies the bytes.
    this.#pieces.push(new Blob(pieces));
    for (const piece of pieces) this.#crc32.update(piece);
    freeBuffers(pieces.map(({ buffer }) => buffer));
  }

  /** @param start of the wanted bytes @param end exclusive */
  async finish(start = 0, end = Infinity): Promise<Pick<SealAnswer, "body" | "crc32">> {
    const all = new Blob(this.#pieces);
    if (start === 0 && end >= all.size) return { body: all, crc32: this.#crc32.digest("hex") };
    const body = all.slice(start, end);
    const crc32 = this.#crc32
      .init()
      .update(new Uint8Array(await body.arrayBuffer()))
      .digest("hex");
    return { body, crc32 };
  }
}

/** SHA-256 and CRC-32 of a file that comes in pieces. */
class RunningSums {
  readonly #sha256: Hasher;
  readonly #crc32: Hasher;

  private constructor(sha256: Hasher, crc32: Hasher) {
    this.#sha256 = sha256;
    this.#crc32 = crc32;
  }

  static async start(hashers: Hashers): Promise<RunningSums> {
    return new RunningSums(...(await Promise.all([hashers.sha256(), hashers.crc32()])));
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

/** Files of a request are unreadable, or have changed since they were chosen. */
class UnreadableError extends Error {
  override name = "UnreadableError";
  readonly failures: ReadFailure[];

  constructor(failures: ReadFailure[]) {
    super("unreadable");
    this.failures = failures;
  }
}

/** @throws the error itself if it is no UnreadableError */
function failuresOf(error: unknown): SealAnswer {
  if (error instanceof UnreadableError) return { ...NOTHING, failures: error.failures };
  throw error;
}

/** @throws UnreadableError */
async function readFiles(files: RequestOf<"pack">["files"]): Promise<Bytes[]> {
  const read = await Promise.all(files.map(({ file }) => readExactly(file, file.size)));
  const failures = read.flatMap((bytes, index) => (typeof bytes === "string" ? [{ index, error: bytes }] : []));
  if (failures.length > 0) throw new UnreadableError(failures);
  return read.flatMap((bytes) => (typeof bytes === "string" ? [] : [new Uint8Array(bytes)]));
}

/**
 * Reads the records that overlap a range of sealed bytes, a few at once and a few ahead. @throws UnreadableError
 * @returns plaintexts, each valid until the next is requested
 */
async function* readRecords(
  file: Blob,
  { start, end }: Pick<SealedRange, "start" | "end">,
): AsyncGenerator<{ first: number; plaintext: Bytes }, void, undefined> {
  const endRecord = Math.ceil(end / RECORD_BYTES);
  const read = (first: number) => {
    const { start: from } = recordRange(file.size, first);
    const { end: to } = recordRange(file.size, Math.min(first + RECORDS_PER_READ, endRecord) - 1);
    return readExactly(file.slice(from, to), to - from);
  };
  let first = Math.floor(start / RECORD_BYTES);
  let reading = read(first);
  for (; first < endRecord; first += RECORDS_PER_READ) {
    const bytes = await reading;
    if (typeof bytes === "string") throw new UnreadableError([{ index: 0, error: bytes }]);
    if (first + RECORDS_PER_READ < endRecord) reading = read(first + RECORDS_PER_READ);
    yield { first, plaintext: new Uint8Array(bytes) };
    freeBuffers([bytes]);
  }
}
