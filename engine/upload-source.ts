import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart } from "#domain/parts.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { FileCheck, fileChanged } from "./file-check.ts";
import { fingerprint } from "./fingerprint.ts";
import { OnDemandThread } from "./on-demand-thread.ts";
import type { Ports } from "./ports.ts";
import type { ReadAnswer, ReadRequest } from "./transfer/read-messages.ts";
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
    const { body, crc32, failures } = await this.#reader.ask({ kind: "pack", files: [stretch] });
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
