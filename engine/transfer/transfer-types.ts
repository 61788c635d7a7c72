import type { LinkGuards } from "#domain/wire.ts";
import type { Progress } from "../progress.ts";
import type { PutRoute, UploadOptions } from "../upload-types.ts";

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
  /** Of all bytes; 99 % at most until the transfer is ready. */
  onProgress(progress: Progress): void;
  /** States, percents or the list changed. At most five times a second. */
  onEntries(): void;
  onTransport(transport: PutRoute): void;
  onFinishing(): void;
}
