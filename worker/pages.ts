import type { CurrentUser, DownloadInfo, ListedFile, UnfinishedUpload } from "#domain/wire.ts";

/**
 * What a download link leads to, and what the server's clock says, epoch milliseconds. The pages are a bundle of their
 * own, so refusals come as values, not as errors.
 */
export type DownloadView =
  | { kind: "file"; status: 200; now: number; info: DownloadInfo }
  | { kind: "refused"; status: number; message: string; retryAfterSeconds?: number };

/** A mail that was kept instead of sent. */
export interface LocalMail {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  sentAt: string;
}

/** What the Remix app may ask of the server. Its loaders reach nothing else. */
export type PageContext = {
  /** Scheme, host and port that links are built on. */
  origin: string;
  /** Whether visitors may upload without an account. */
  anonymousUploads: boolean;
  currentUser(): Promise<CurrentUser | null>;
  listFiles(user: CurrentUser): Promise<ListedFile[]>;
  listUnfinished(user: CurrentUser): Promise<UnfinishedUpload[]>;
  /** What the local mail transport kept, newest first; null where mail really goes out. */
  listLocalMail(): Promise<LocalMail[] | null>;
  findDownload(downloadId: string): Promise<DownloadView>;
};
