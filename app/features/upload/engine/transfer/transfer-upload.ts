import type { FinishTransferAnswer } from "#domain/wire.ts";
import type { Progress } from "../progress.ts";
import type { PutRoute, UploadOptions } from "../upload-types.ts";
import { TransferEntries } from "./transfer-entries.ts";
import type { TransferList } from "./transfer-list.ts";

export interface TransferOptions extends UploadOptions {
  /** "" takes the title from the list. */
  title: string;
  /** Plain text for the recipients. */
  message: string;
}

export interface TransferEvents {
  /** The share link works from here on. */
  onStarted(start: { uploadId: string; downloadId: string; shareUrl: string; resumed: boolean }): void;
  /** Of all bytes; 99 % at most until the transfer is ready. */
  onProgress(progress: Progress): void;
  /** States, percents or the list changed. At most five times a second. */
  onEntries(): void;
  onTransport(transport: PutRoute): void;
  onFinishing(): void;
}

/** Sends many files behind one link. Resumes an unfinished transfer of the same list. */
export class TransferUpload {
  readonly entries: TransferEntries;

  /** @param resume the fingerprint of the unfinished transfer to continue, whatever the list's own */
  constructor(list: TransferList, options: TransferOptions, events: TransferEvents, resume?: { fingerprint: string }) {
    void [options, events, resume];
    this.entries = new TransferEntries(() => 0);
    for (const entry of list.entries) this.entries.add(entry);
  }

  /**
   * Waits while entries are "changed" or "unreadable". After an error the server keeps what has arrived for a new
   * TransferUpload of the same list.
   * @throws ApiError, UploadError, DOMException AbortError after `cancel`
   */
  run(): Promise<FinishTransferAnswer> {
    return Promise.reject(new Error("not yet"));
  }

  /** Stops, deletes what has arrived, and releases the reserved quota. */
  cancel(): void {
    void this.entries;
  }

  /** @throws ApiError, UploadError; then nothing was added */
  add(list: TransferList): Promise<void> {
    void list;
    return Promise.resolve();
  }

  remove(n: number): void {
    void n;
  }

  /**
   * Announces a "changed" or "unreadable" entry anew, under a new number.
   * @param file what the person chose again
   */
  retry(n: number, file?: File): void {
    void [n, file];
  }

  /** Whether `retry(n)` can read the file itself, without a new choice of the person. */
  canReload(n: number): boolean {
    void n;
    return false;
  }
}
