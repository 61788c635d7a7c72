import type { Expiration } from "#domain/expiry.ts";
import type { CompleteUploadAnswer, GuardsAtStart, LinkGuards } from "#domain/wire.ts";
import type { PartsProgress, Progress } from "./progress.ts";

/** How a PUT travels: straight to storage with a presigned URL, or through our server. */
export type PutRoute = "direct" | "proxy";

export interface UploadOptions {
  expiration: Expiration;
  expirationChosen: boolean;
  guards?: GuardsAtStart;
  /** Encrypted end to end. The guards' password never leaves the browser then. */
  sealed?: boolean;
  /** The link, by its id, of the unfinished sealed upload that goes on. Its keys are kept here. */
  goesOnWith?: string;
}

export interface UploadEvents {
  /** The share link works from here on, before any byte is sent. */
  onStarted(start: { shareUrl: string; uploadId: string; guards?: LinkGuards }): void;
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
    guards?: LinkGuards;
  }): void;
  /** Tells of all bytes; 99 % at most until the transfer is ready. */
  onProgress(progress: Progress): void;
  /** States, percents or the list changed. At most five times a second. */
  onEntries(): void;
  onTransport(transport: PutRoute): void;
  onFinishing(): void;
}
