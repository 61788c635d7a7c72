import type { Expiration } from "#domain/expiry.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import type { ContentKeys } from "#domain/seal/keys.ts";
import type {
  CompleteUploadAnswer,
  ProtectionAtStart,
  LinkProtection,
  PartSum,
  SealAtStart,
  SealState,
} from "#domain/wire.ts";
import type { PartsProgress, Progress } from "./progress.ts";

/** The route of a PUT: straight to storage with a presigned URL, or through our server. */
export type PutRoute = "direct" | "proxy";

export interface UploadOptions {
  expiration: Expiration;
  expirationChosen: boolean;
  /** The exact end of the link in place of `expiration`: ISO 8601, with an offset. */
  expiresAt?: string;
  guards?: ProtectionAtStart;
  /** Encrypts end to end. The password of an encrypted link never leaves the browser. */
  sealed?: boolean;
  /** The link's id of an unfinished sealed upload to resume. This device keeps the keys of that upload. */
  goesOnWith?: string;
}

/** The fields of a start that say when its link ends. */
export function endOf({ expiration, expirationChosen, expiresAt }: UploadOptions) {
  return expiresAt === undefined ? { expiration, expirationChosen } : { expirationChosen: true, expiresAt };
}

export interface UploadEvents {
  /** Called before any byte is sent. The share link works once this was called. */
  onStarted(start: { shareUrl: string; uploadId: string; guards?: LinkProtection }): void;
  onProgress(progress: Progress): void;
  onTransport(transport: PutRoute): void;
  /** Direct uploads only. */
  onParts(parts: PartsProgress): void;
  /** Called in an upload in chunks with the chunk that is being sent, from 1. */
  onChunk(number: number, total: number): void;
  onFinishing(): void;
  /** Called with a small picture of the file. */
  onTile?(n: number, image: Blob): void;
}

export type FinishedUpload = Pick<CompleteUploadAnswer, "id" | "shareUrl" | "filename" | "size" | "expiresAt">;

export interface TransferOptions extends UploadOptions {
  /** "" for a title that is made from the list. */
  title: string;
  /** Plain text for the recipients. */
  message: string;
}

export interface TransferEvents {
  /** Once this was called, the share link works, and a resumed transfer's entries have the server's numbers. */
  onStarted(start: {
    uploadId: string;
    downloadId: string;
    shareUrl: string;
    resumed: boolean;
    guards?: LinkProtection;
  }): void;
  /** Covers all bytes. At most 99 % until the transfer is ready. */
  onProgress(progress: Progress): void;
  /** Called at most five times a second, when states, percents or the list have changed. */
  onEntries(): void;
  onTransport(transport: PutRoute): void;
  onFinishing(): void;
  /** Called with a small picture of an entry. */
  onTile?(n: number, image: Blob): void;
}

/** A picture in a form. */
export interface PictureToSend {
  /** The number of its file; 0 for a single file. */
  n: number;
  kind: PictureKind;
  image: Blob;
  /** The duration of a video, for a tile of a plain link. */
  seconds?: number | undefined;
  /** The facts about a sealed picture in base64url, for a tile of a sealed link. */
  about?: string | undefined;
}

/** A range of the bytes to send. The end is exclusive. */
export interface SentRange {
  /** From 1. */
  part: number;
  start: number;
  end: number;
}

/** The description of a file in the call that starts its upload. */
export interface Described {
  filename: string;
  fileType: string;
  lastModified: number | null;
  fingerprint: string | null;
  guards?: ProtectionAtStart;
  seal?: SealAtStart;
}

/** The server's answer to a start. */
export interface StartedUpload {
  uploadId: string;
  downloadId: string;
  shareUrl: string;
  seal?: SealState;
  expiresAt?: string | null;
  /** The marks of stored parts. */
  marks?: readonly { part: number; mark: string }[];
  sums?: readonly PartSum[];
}

/** The sums of a whole file, in hexadecimal. */
export interface FileSums {
  sha256: string;
  crc32: string;
}

/** The bytes and the description that an upload of a single file sends: those of a plain or of a sealed file. */
export interface UploadSource {
  describe(): Promise<Described>;
  /** The keys of a sealed file; null for a plain one. @throws TypeError before `describe` */
  readonly keys: ContentKeys | null;
  /** Takes over the server's answer. @returns the link to share @throws UploadError when the upload cannot go on */
  begin(start: StartedUpload): string;
  /** Prepares the check that runs while the parts are sent. @param ranges of all parts */
  watch(ranges: readonly SentRange[]): void;
  /**
   * Called when bytes have been sent, perhaps several times. Work that would have delayed the first bytes may begin.
   */
  noteMoved(): void;
  /** @throws UploadError for a file that cannot be read */
  read(range: SentRange): Promise<{ body: Blob; crc32?: string; mark?: string }>;
  /** Waits for the check. @returns parts whose bytes in storage differ from the file */
  findChanged(): Promise<number[]>;
  /** Called when all parts are stored. @returns the sums for the completion; null for none */
  settle(): Promise<FileSums | null>;
  /** @returns the answer to the completion, with the name, size and link that only the sender of a sealed file knows */
  nameFinished<Finished extends Pick<CompleteUploadAnswer, "filename" | "size" | "shareUrl" | "expiresAt">>(
    finished: Finished,
  ): Finished;
  /** Called when the upload was cancelled. */
  forget(): void;
}
