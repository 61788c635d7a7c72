import type { DownloadInfo, CurrentUser, ListedFile } from "#domain/wire.ts";

/** What the Remix app may ask of the server. Its loaders reach nothing else. */
export type PageContext = {
  /** Scheme, host and port that links are built on. */
  origin: string;
  currentUser(): Promise<CurrentUser | null>;
  listFiles(user: CurrentUser): Promise<ListedFile[]>;
  /** @throws AppError FILE_NOT_FOUND, FILE_EXPIRED */
  getDownloadInfo(downloadId: string): Promise<DownloadInfo>;
};
