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

/** @param inChunks small files can be resumed, too, and the server sums what it gets */
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
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #inChunks: boolean;
  readonly #reader: OnDemandThread<ReadRequest, ReadAnswer>;
  readonly #check: FileCheck<ReadAnswer>;
  /** A file in one request arrives as a whole. */
  #isInPieces: boolean;

  constructor(ports: Ports, file: File, options: UploadOptions, signal: AbortSignal, inChunks: boolean) {
    this.#file = file;
    this.#options = options;
    this.#inChunks = inChunks;
    this.#isInPieces = inChunks;
    const thread = () => new OnDemandThread(ports, ports.startReading, signal);
    this.#reader = thread();
    // In a thread of its own: reading the whole file must not hold up the parts.
    const checker = thread();
    this.#check = new FileCheck({
      ports,
      file,
      read: (ranges) => checker.ask({ kind: "check", file, ranges: [...ranges] }),
      sumsOf: ({ sums = [] }) => sums,
      // Of chunks that are on their way nobody here has a sum.
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
    // Nothing was kept.
  }
}

/** A file that changes more often while it is compared is not sent. */
const MAX_READINGS = 3;

interface Options<Answer> {
  ports: Pick<Ports, "versionOf">;
  file: File;
  /** Reads the ranges of the file from the first to the last. */
  read(ranges: readonly SentRange[]): Promise<Answer>;
  /** The sums of each range, as `note` knows them of parts. */
  sumsOf(answer: Answer): readonly string[];
  /** Whether `note` gets all that is sent. If not, a file that changes is not sent. */
  canReadAgain?: boolean;
}

interface Reading<Answer> {
  version: string | null;
  answer: Answer;
}

/**
 * Reads a file as a whole beside its upload, and compares it with the sums of what was sent, now or by an earlier try.
 * So no upload mixes the bytes of two versions of a file (decision 049).
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

  /** @param ranges one for each part that is compared, in order */
  watch(ranges: readonly SentRange[]): void {
    this.#ranges = ranges;
  }

  /** May be called again. */
  begin(): void {
    if (this.#reading === null) this.#read();
  }

  /** Storage has the part with this sum. */
  note(part: number, sum: string): void {
    this.#sums.set(part, sum);
  }

  /**
   * Waits for the reading. Reads again what has changed since it began.
   * @returns parts that storage has otherwise than the file; parts without a sum are taken as they are
   * @throws UploadError `fileChanged` for a file that cannot be read, or that changes again and again
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
      // What differs once more has changed since it was read.
      if (changed.some((part) => this.#resent.has(part))) throw fileChanged();
      for (const part of changed) this.#resent.add(part);
      return changed;
    }
  }

  /** What the last reading answered. @throws UploadError */
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
    // `changedParts` reports its error.
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

/** The file cannot be read, or has other bytes than when its upload began. */
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
