import { joinCrc32 } from "#domain/checksums.ts";
import { MIB } from "#domain/units.ts";
import { freeBuffers, BlobCollector } from "./memory.ts";
import type { Hasher, Hashers, Ports, Thread } from "./ports.ts";
import { type ReadRequest, type ReadFailure, type ReadAnswer, WRONG_LENGTH } from "./read-messages.ts";
import { retryCall } from "./upload-step.ts";

/** A thread that reads or seals files, and that the first request starts. */
export class OnDemandThread<Request, Answer extends { body: Blob }> {
  readonly #ports: Pick<Ports, "online" | "warn">;
  readonly #start: (signal: AbortSignal) => Promise<Thread<Request, Answer>>;
  readonly #signal: AbortSignal;
  readonly #collector = new BlobCollector();
  #thread: Promise<Thread<Request, Answer>> | null = null;

  /** @param start rejects with a TypeError if the thread cannot be started now @param signal stops the thread */
  constructor(
    ports: Pick<Ports, "online" | "warn">,
    start: (signal: AbortSignal) => Promise<Thread<Request, Answer>>,
    signal: AbortSignal,
  ) {
    this.#ports = ports;
    this.#start = start;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      this.#thread?.then(
        (thread) => {
          thread.stop();
        },
        () => undefined,
      );
    });
  }

  /** @throws UploadError if the thread ends, for example for lack of memory; DOMException AbortError */
  async ask(request: Request): Promise<Answer> {
    this.#signal.throwIfAborted();
    const start = () => this.#start(this.#signal);
    this.#thread ??= retryCall(this.#ports, "thread", start, this.#signal);
    const answer = await (await this.#thread).ask(request);
    this.#collector.add(answer.body.size);
    return answer;
  }
}

/** The bytes that a check reads at once. The check reads ahead while it hashes, so it holds twice as many bytes. */
const BITE_BYTES = 4 * MIB;

/** Answers requests for bytes in order, and checks in parallel. Reads the next bytes of a file while it hashes. */
export class ByteReader {
  readonly #hashers: Hashers;
  /** For each large file that is being read, the offset up to which it is hashed. */
  readonly #hashed = new Map<number, { hasher: Hasher; offset: number }>();
  #crc32: Promise<Hasher> | undefined;
  #line: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(hashers: Hashers) {
    this.#hashers = hashers;
  }

  answer(request: ReadRequest): Promise<ReadAnswer> {
    if (request.kind === "check") return this.#check(request);
    const reading = request.kind === "bytes" ? readBlobs(request.blobs) : readPart(request);
    // The next step of the queue awaits this promise and handles its error.
    reading.catch(() => undefined);
    const answer = this.#line.then(async () => {
      const { bytes, failures } = await reading;
      if (failures.length > 0) return failure(failures);
      const sha256 = request.kind === "part" ? await this.#hash(request, bytes) : null;
      const read = { body: new Blob([bytes]), crc32: await this.#sum(bytes), sha256, failures };
      // The Blob has a copy of the bytes.
      freeBuffers([bytes]);
      return read;
    });
    this.#line = answer.catch(() => undefined);
    return answer;
  }

  /** Ends a running check. Needed where the reader runs without a thread of its own. */
  stop(): void {
    this.#isStopped = true;
  }

  async #check({ file, ranges }: Extract<ReadRequest, { kind: "check" }>): Promise<ReadAnswer> {
    const [sha256, crc32] = await Promise.all([this.#hashers.sha256(), this.#hashers.crc32()]);
    const sums: string[] = [];
    let joined = 0;
    for (const { start, end } of ranges) {
      crc32.init();
      for await (const bytes of readBites(file, start, end)) {
        if (this.#isStopped) throw new DOMException("Upload aborted", "AbortError");
        if (typeof bytes === "string") return failure([{ index: 0, error: bytes }]);
        sha256.update(new Uint8Array(bytes));
        crc32.update(new Uint8Array(bytes));
        freeBuffers([bytes]);
      }
      const sum = crc32.digest("hex");
      joined = joinCrc32(joined, Number.parseInt(sum, 16), end - start);
      sums.push(sum);
    }
    const whole = joined.toString(16).padStart(8, "0");
    return { body: new Blob([]), crc32: whole, sha256: sha256.digest("hex"), sums, failures: [] };
  }

  async #sum(bytes: ArrayBuffer): Promise<string> {
    this.#crc32 ??= this.#hashers.crc32();
    const hasher = await this.#crc32;
    return hasher.init().update(new Uint8Array(bytes)).digest("hex");
  }

  /** @returns the SHA-256 of the file after its last part; null before that, and once parts came out of order */
  async #hash(
    { key, file, start, end }: Extract<ReadRequest, { kind: "part" }>,
    bytes: ArrayBuffer,
  ): Promise<string | null> {
    if (start === 0) this.#hashed.set(key, { hasher: await this.#hashers.sha256(), offset: 0 });
    const hashed = this.#hashed.get(key);
    if (hashed?.offset !== start) {
      this.#hashed.delete(key);
      return null;
    }
    hashed.hasher.update(new Uint8Array(bytes));
    hashed.offset = end;
    if (end < file.size) return null;
    this.#hashed.delete(key);
    return hashed.hasher.digest("hex");
  }
}

function failure(failures: ReadFailure[]): ReadAnswer {
  return { body: new Blob([]), crc32: "", sha256: null, failures };
}

/** Yields pieces of `BITE_BYTES` and reads one ahead. @returns the bytes of each piece, or the name of an error */
async function* readBites(
  file: Blob,
  start: number,
  end: number,
): AsyncGenerator<ArrayBuffer | string, void, undefined> {
  const read = (from: number) => {
    const to = Math.min(from + BITE_BYTES, end);
    return readExactly(file.slice(from, to), to - from);
  };
  let reading = read(start);
  for (let from = start; from < end; from += BITE_BYTES) {
    const bytes = await reading;
    if (from + BITE_BYTES < end) reading = read(from + BITE_BYTES);
    yield bytes;
  }
}

interface Read {
  bytes: ArrayBuffer;
  failures: ReadFailure[];
}

/** Reads all blobs at once. If a blob fails, reads the blobs one by one to find each blob that cannot be read. */
async function readBlobs(blobs: Blob[]): Promise<Read> {
  const sizeBytes = blobs.reduce((sum, { size }) => sum + size, 0);
  try {
    const bytes = await new Blob(blobs).arrayBuffer();
    if (bytes.byteLength === sizeBytes) return { bytes, failures: [] };
  } catch {
    // Reading the blobs one by one finds the blob that failed.
  }
  const bytes = new Uint8Array(sizeBytes);
  const failures: ReadFailure[] = [];
  let offset = 0;
  for (const [index, blob] of blobs.entries()) {
    const read = await readExactly(blob, blob.size);
    if (typeof read === "string") failures.push({ index, error: read });
    else bytes.set(new Uint8Array(read), offset);
    offset += blob.size;
  }
  return { bytes: bytes.buffer, failures };
}

async function readPart({ file, start, end }: Extract<ReadRequest, { kind: "part" }>): Promise<Read> {
  const read = await readExactly(file.slice(start, end), end - start);
  if (typeof read === "string") return { bytes: new ArrayBuffer(), failures: [{ index: 0, error: read }] };
  return { bytes: read, failures: [] };
}

/** @returns the bytes, or the name of an error */
export async function readExactly(blob: Blob, sizeBytes: number): Promise<ArrayBuffer | string> {
  try {
    const bytes = await blob.arrayBuffer();
    return bytes.byteLength === sizeBytes ? bytes : WRONG_LENGTH;
  } catch (error) {
    return error instanceof Error || error instanceof DOMException ? error.name : String(error);
  }
}
