import { toHex } from "#domain/bytes-as-text.ts";
import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart } from "#domain/parts.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { KIB } from "#domain/units.ts";
import { UploadError } from "./errors.ts";
import type { Ports } from "./ports.ts";
import type { ReadAnswer, ReadRequest, ReadFailure } from "./read-messages.ts";
import { OnDemandThread } from "./reading-thread.ts";
import type { Described, FileSums, SentRange, StartedUpload, UploadOptions, UploadSource } from "./upload-types.ts";

/** @returns how many bytes an upload of the file sends */
export function sentBytesOf({ size }: File, { sealed }: UploadOptions): number {
  return sealed ? sealedSize(size) : size;
}

/**
 * @param inChunks whether the file goes in chunks: then small files can be resumed, too, and the server computes the
 * sums
 */
export async function openSource(
  ports: Ports,
  file: File,
  options: UploadOptions,
  signal: AbortSignal,
  inChunks = false,
): Promise<UploadSource> {
  const isIdentified = inChunks || isMultipart(sentBytesOf(file, options));
  if (!options.sealed) return new PlainFile(ports, file, options, signal, inChunks);
  const [{ SealedFile }, sealing] = await Promise.all([
    ports.load(() => import("./sealing/sealed-file.ts")),
    ports.sealing(),
  ]);
  return new SealedFile({ ...ports, ...sealing }, file, options, signal, isIdentified);
}

class PlainFile implements UploadSource {
  readonly keys = null;
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #inChunks: boolean;
  readonly #reader: OnDemandThread<ReadRequest, ReadAnswer>;
  readonly #check: FileCheck<ReadAnswer>;
  /** Whether the file is sent in several requests. A file in a single request needs no check. */
  #isInPieces: boolean;

  constructor(ports: Ports, file: File, options: UploadOptions, signal: AbortSignal, inChunks: boolean) {
    this.#file = file;
    this.#options = options;
    this.#inChunks = inChunks;
    this.#isInPieces = inChunks;
    const thread = () => new OnDemandThread(ports, ports.startReading, signal);
    this.#reader = thread();
    // The checker has a thread of its own: reading the whole file must not hold up the parts.
    const checker = thread();
    this.#check = new FileCheck({
      ports,
      file,
      read: (ranges) => checker.ask({ kind: "check", file, ranges: [...ranges] }),
      sumsOf: ({ sums = [] }) => sums,
      // The engine has no sums of chunks that are being sent.
      canReadAgain: !inChunks,
    });
  }

  async describe(): Promise<Described> {
    const { name, type, lastModified } = this.#file;
    const { guards } = this.#options;
    return {
      filename: name,
      fileType: mimeTypeOf(name, type),
      lastModified,
      fingerprint: this.#inChunks || isMultipart(this.#file.size) ? await fingerprint(this.#file) : null,
      ...(guards && { guards }),
    };
  }

  begin({ shareUrl, sums = [] }: StartedUpload): string {
    for (const { part, crc32 } of sums) this.#check.note(part, crc32);
    return shareUrl;
  }

  watch(ranges: readonly SentRange[]): void {
    this.#isInPieces ||= ranges.length > 1;
    this.#check.watch(ranges);
  }

  noteMoved(): void {
    if (this.#isInPieces) this.#check.begin();
  }

  async read({ part, start, end }: SentRange): Promise<{ body: Blob; crc32?: string }> {
    const stretch = this.#file.slice(start, end);
    if (!this.#isInPieces || this.#inChunks) return { body: stretch };
    const { body, crc32, failures } = await this.#reader.ask({ kind: "bytes", blobs: [stretch] });
    if (failures.length > 0) throw fileChanged();
    this.#check.note(part, crc32);
    return { body, crc32 };
  }

  findChanged(): Promise<number[]> {
    return this.#isInPieces ? this.#check.changedParts() : Promise.resolve([]);
  }

  async settle(): Promise<FileSums | null> {
    if (!this.#isInPieces || this.#inChunks) return null;
    const { sha256, crc32 } = await this.#check.result();
    return sha256 === null ? null : { sha256, crc32 };
  }

  nameFinished<Finished>(finished: Finished): Finished {
    return finished;
  }

  forget(): void {
    // An upload of a plain file keeps nothing on this device.
  }
}

/** The check reads a file this many times. A file that changes each time is not sent. */
const MAX_READINGS = 3;

interface Options<Answer> {
  ports: Pick<Ports, "versionOf">;
  file: File;
  /** Reads the ranges of the file from the first to the last. */
  read(ranges: readonly SentRange[]): Promise<Answer>;
  /** The sum of each range, in the form that `note` takes. */
  sumsOf(answer: Answer): readonly string[];
  /** Whether `note` gets the sums of all sent parts. Without all sums, a changed file is not sent. */
  canReadAgain?: boolean;
}

interface Reading<Answer> {
  version: string | null;
  answer: Answer;
}

/**
 * Reads the whole file while its parts are sent, and compares it with the sums of the parts that storage has. Because
 * of this check, no upload mixes the bytes of two versions of a file (decision 049).
 */
export class FileCheck<Answer extends { failures: readonly ReadFailure[] }> {
  readonly #options: Options<Answer>;
  #ranges: readonly SentRange[] = [];
  #reading: Promise<Reading<Answer>> | null = null;
  #readings = 0;
  readonly #sums = new Map<number, string>();
  readonly #resent = new Set<number>();

  constructor(options: Options<Answer>) {
    this.#options = options;
  }

  /** @param ranges the ranges of the parts to compare, in order */
  watch(ranges: readonly SentRange[]): void {
    this.#ranges = ranges;
  }

  /** Starts reading. Later calls do nothing. */
  begin(): void {
    if (this.#reading === null) this.#read();
  }

  /** Notes the sum of a part that storage has. */
  note(part: number, sum: string): void {
    this.#sums.set(part, sum);
  }

  /**
   * Waits until the file is read. Reads the file again if it has changed since it was read.
   * @returns parts whose bytes in storage differ from the file; parts without a sum count as equal
   * @throws UploadError `fileChanged` for a file that cannot be read, or that has changed at each of several readings
   */
  async changedParts(): Promise<number[]> {
    for (;;) {
      const { version, answer } = await this.#lastReading();
      if (answer.failures.length > 0) throw fileChanged();
      if (version !== (await this.#version())) {
        if (this.#options.canReadAgain === false || this.#readings === MAX_READINGS) throw fileChanged();
        this.#read();
        continue;
      }
      const sums = this.#options.sumsOf(answer);
      const changed = this.#ranges.flatMap(({ part }, index) =>
        (this.#sums.get(part) ?? sums[index]) === sums[index] ? [] : [part],
      );
      // A part that was sent again and still differs has changed since it was read.
      if (changed.some((part) => this.#resent.has(part))) throw fileChanged();
      for (const part of changed) this.#resent.add(part);
      return changed;
    }
  }

  /** The answer of the last reading. @throws UploadError */
  async result(): Promise<Answer> {
    return (await this.#lastReading()).answer;
  }

  #lastReading(): Promise<Reading<Answer>> {
    this.begin();
    return this.#reading ?? Promise.reject(fileChanged());
  }

  #read(): void {
    this.#readings += 1;
    const reading = (async () => ({
      version: await this.#version(),
      answer: await this.#options.read(this.#ranges),
    }))();
    // `changedParts` reports the error of the reading.
    reading.catch(() => undefined);
    this.#reading = reading;
  }

  async #version(): Promise<string | null> {
    try {
      return await this.#options.ports.versionOf(this.#options.file);
    } catch {
      throw fileChanged();
    }
  }
}

/** The error for a file that cannot be read, or that has changed since its upload began. */
export function fileChanged(): UploadError {
  return new UploadError({ code: "fileChanged" });
}

const SAMPLE_COUNT = 16;
const SAMPLE_BYTES = 16 * KIB;

/**
 * SHA-256 over a file's size and samples spread evenly over its bytes, to recognise a file whose upload can be resumed.
 * @returns hex, or null where the browser offers no hashing (a page without TLS)
 */
export async function fingerprint(file: Blob): Promise<string | null> {
  if (!("subtle" in crypto)) return null;
  const lastStart = Math.max(0, file.size - SAMPLE_BYTES);
  const samples = Array.from({ length: SAMPLE_COUNT }, (_, index) => {
    const start = Math.floor((lastStart * index) / (SAMPLE_COUNT - 1));
    return file.slice(start, start + SAMPLE_BYTES);
  });
  const bytes = await new Blob([`${file.size}\n`, ...samples]).arrayBuffer();
  return toHex(await crypto.subtle.digest("SHA-256", bytes));
}
