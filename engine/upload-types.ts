import type { Expiration } from "#domain/expiry.ts";
import type {
  CompleteUploadAnswer,
  ProtectionAtStart,
  LinkProtection,
  PartSum,
  SealAtStart,
  SealState,
} from "#domain/wire.ts";
import type { PartsProgress, Progress } from "./progress.ts";

/** How a PUT travels: straight to storage with a presigned URL, or through our server. */
export type PutRoute = "direct" | "proxy";

export interface UploadOptions {
  expiration: Expiration;
  expirationChosen: boolean;
  guards?: ProtectionAtStart;
  /** Encrypted end to end. The link's password never leaves the browser then. */
  sealed?: boolean;
  /** The link, by its id, of the unfinished sealed upload that goes on. Its keys are kept here. */
  goesOnWith?: string;
}

export interface UploadEvents {
  /** The share link works from here on, before any byte is sent. */
  onStarted(start: { shareUrl: string; uploadId: string; guards?: LinkProtection }): void;
  onProgress(progress: Progress): void;
  onTransport(transport: PutRoute): void;
  /** Direct uploads only. */
  onParts(parts: PartsProgress): void;
  /** Chunked uploads only: the chunk being sent, from 1. */
  onChunk(number: number, total: number): void;
  onFinishing(): void;
}

export type FinishedUpload = Pick<CompleteUploadAnswer, "id" | "shareUrl" | "filename" | "size" | "expiresAt">;

export interface TransferOptions extends UploadOptions {
  /** "" takes the title from the list. */
  title: string;
  /** Plain text for the recipients. */
  message: string;
}

export interface TransferEvents {
  /** The share link works from here on. A resumed transfer's entries have the server's numbers now. */
  onStarted(start: {
    uploadId: string;
    downloadId: string;
    shareUrl: string;
    resumed: boolean;
    guards?: LinkProtection;
  }): void;
  /** Tells of all bytes; 99 % at most until the transfer is ready. */
  onProgress(progress: Progress): void;
  /** States, percents or the list changed. At most five times a second. */
  onEntries(): void;
  onTransport(transport: PutRoute): void;
  onFinishing(): void;
}

/** A stretch of what is sent. The end is exclusive. */
export interface SentRange {
  /** From 1. */
  part: number;
  start: number;
  end: number;
}

/** What a start says of a file. */
export interface Described {
  filename: string;
  fileType: string;
  lastModified: number | null;
  fingerprint: string | null;
  guards?: ProtectionAtStart;
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
  sums?: readonly PartSum[];
}

/** Of a whole file, in hexadecimal. */
export interface FileSums {
  sha256: string;
  crc32: string;
}

/** What an upload of a single file sends, and how it is told. */
export interface UploadSource {
  describe(): Promise<Described>;
  /** @returns the link that is given away @throws UploadError when it cannot go on */
  begin(start: StartedUpload): string;
  /** Begins what is computed while the parts are sent. @param ranges all of them */
  watch(ranges: readonly SentRange[]): void;
  /** Called when bytes are on their way, perhaps several times: work that would have delayed the first ones may begin. */
  noteMoved(): void;
  /** @throws UploadError for a file that cannot be read */
  read(range: SentRange): Promise<{ body: Blob; crc32?: string; mark?: string }>;
  /** Waits for what `watch` began. @returns parts that storage has and that the file has otherwise */
  findChanged(): Promise<number[]>;
  /** Called when everything is stored. @returns the sums that the completion sends, if any */
  settle(): Promise<FileSums | null>;
  /** What the server said of the finished upload, as its sender knows it. */
  nameFinished<Finished extends Pick<CompleteUploadAnswer, "filename" | "size" | "shareUrl" | "expiresAt">>(
    finished: Finished,
  ): Finished;
  /** The upload was cancelled. */
  forget(): void;
}
