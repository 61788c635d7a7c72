import { mimeTypeOf } from "#domain/mime.ts";
import { isMultipart } from "#domain/parts.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import type { CompleteUploadAnswer, GuardsAtStart, SealAtStart, SealState } from "#domain/wire.ts";
import { fingerprint } from "./fingerprint.ts";
import type { FilePorts } from "./ports.ts";
import type { UploadOptions } from "./upload-types.ts";

/** A stretch of what is sent. The end is exclusive. */
export interface SentRange {
  /** From 1. */
  part: number;
  start: number;
  end: number;
}

/** What a start says of a file. */
interface Described {
  filename: string;
  fileType: string;
  lastModified: number | null;
  fingerprint: string | null;
  guards?: GuardsAtStart;
  seal?: SealAtStart;
}

/** What the server answered. */
export interface StartedUpload {
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  seal?: SealState;
  expiresAt?: string | null;
  /** Of parts that are stored. */
  marks?: readonly { part: number; mark: string }[];
}

/** What an upload of a single file sends, and how it is told. */
export interface UploadSource {
  describe(): Promise<Described>;
  /** @returns the link that is given away @throws UploadError when it cannot go on */
  begin(start: StartedUpload): string;
  /** Begins what is computed while the parts are sent. @param ranges all of them */
  watch(ranges: readonly SentRange[]): void;
  /** Bytes are on their way: what would have held up the first ones may begin. May be called again. */
  noteMoved(): void;
  /** @throws UploadError for a file that cannot be read */
  read(range: SentRange): Promise<{ body: Blob; mark?: string }>;
  /** Waits for what `watch` began. @returns parts that storage has and that the file has otherwise */
  findChanged(): Promise<number[]>;
  /** Everything is stored. @returns the sum that the server is told, if any */
  settle(): Promise<string | null>;
  /** What the server said of the finished upload, as its sender knows it. */
  nameFinished<Finished extends Pick<CompleteUploadAnswer, "filename" | "size" | "shareUrl" | "expiresAt">>(
    finished: Finished,
  ): Finished;
  /** The upload was cancelled. */
  forget(): void;
}

/** @returns how many bytes an upload of the file sends */
export function sentBytesOf({ size }: File, { sealed }: UploadOptions): number {
  return sealed ? sealedSize(size) : size;
}

/** @param alwaysIdentified small files can be resumed too */
export async function openSource(
  ports: FilePorts,
  file: File,
  options: UploadOptions,
  signal: AbortSignal,
  alwaysIdentified = false,
): Promise<UploadSource> {
  const isIdentified = alwaysIdentified || isMultipart(sentBytesOf(file, options));
  if (!options.sealed) return new PlainFile(ports, file, options, signal, isIdentified);
  const [{ SealedFile }, sealing] = await Promise.all([
    ports.load(() => import("./sealing/sealed-file.ts")),
    ports.sealing(),
  ]);
  return new SealedFile({ ...ports, ...sealing }, file, options, signal, isIdentified);
}

class PlainFile implements UploadSource {
  readonly #ports: FilePorts;
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #signal: AbortSignal;
  readonly #isIdentified: boolean;
  #isHashed = false;
  #hashing: Promise<string | null> | null = null;

  constructor(ports: FilePorts, file: File, options: UploadOptions, signal: AbortSignal, isIdentified: boolean) {
    this.#ports = ports;
    this.#file = file;
    this.#options = options;
    this.#signal = signal;
    this.#isIdentified = isIdentified;
  }

  async describe(): Promise<Described> {
    const { name, type, lastModified } = this.#file;
    const { guards } = this.#options;
    return {
      filename: name,
      fileType: mimeTypeOf(name, type),
      lastModified,
      fingerprint: this.#isIdentified ? await fingerprint(this.#file) : null,
      ...(guards && { guards }),
    };
  }

  begin({ shareUrl }: StartedUpload): string {
    return shareUrl;
  }

  watch(ranges: readonly SentRange[]): void {
    // The server hashes files that are sent in one piece.
    this.#isHashed = ranges.length > 1;
  }

  noteMoved(): void {
    if (this.#isHashed) this.#hashing ??= this.#ports.hashFile(this.#file, this.#signal);
  }

  read({ start, end }: SentRange): Promise<{ body: Blob }> {
    return Promise.resolve({ body: this.#file.slice(start, end) });
  }

  findChanged(): Promise<number[]> {
    return Promise.resolve([]);
  }

  async settle(): Promise<string | null> {
    this.noteMoved();
    return this.#hashing;
  }

  nameFinished<Finished>(finished: Finished): Finished {
    return finished;
  }

  forget(): void {
    // Nothing was kept.
  }
}
