import type { DownloadInfo, CurrentUser, ListedFile } from "#domain/wire.ts";

/** What a download link leads to. The pages are a bundle of their own, so refusals come as values, not as errors. */
export type DownloadView =
  { kind: "file"; status: 200; info: DownloadInfo } | { kind: "refused"; status: number; message: string };

/** What the Remix app may ask of the server. Its loaders reach nothing else. */
export type PageContext = {
  /** Scheme, host and port that links are built on. */
  origin: string;
  currentUser(): Promise<CurrentUser | null>;
  listFiles(user: CurrentUser): Promise<ListedFile[]>;
  findDownload(downloadId: string): Promise<DownloadView>;
};
