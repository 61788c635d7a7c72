import type { DownloadUse, Shares, Site, UploadUse } from "./model.ts";

/** The site whose figures `npm run bench -- scale` computes, with assumptions for all that is not measured. */

/** Most people send one file; programs use tus, and only old networks need chunks. */
export const UPLOAD_SHARES = {
  "one small file": 0.55,
  "one file in parts": 0.2,
  "in chunks": 0.01,
  "by tus": 0.04,
  "10 files": 0.15,
  "10,000 files": 0.001,
  encrypted: 0.029,
  "through a request": 0.02,
} as const satisfies Shares<string>;
export type UploadKind = keyof typeof UPLOAD_SHARES;

export const DOWNLOAD_SHARES = {
  "one file": 0.75,
  "with a limit": 0.05,
  "a ZIP": 0.1,
  "by /api/v1": 0.1,
} as const satisfies Shares<string>;
export type DownloadKind = keyof typeof DOWNLOAD_SHARES;

export interface MeasuredUse {
  uploads: Record<UploadKind, UploadUse>;
  downloads: Record<DownloadKind, DownloadUse>;
}

/** The site that the project aims at, and assumptions about it. The settings for how long rows are kept are added. */
export const SITE: Omit<Site, "endedFileDays" | "uploadLogDays"> = {
  uploadsPerDay: 100_000,
  downloadsPerDay: 1_000_000,
  lifetimeDays: 7,
  // 200,000 accounts of 2 KB with their sessions, devices and events.
  otherBytes: 400_000_000,
  limitBytes: 10_000_000_000,
  // Four times the mean: the busiest hour has a sixth of the day's load.
  peak: 4,
  statementsPerSecond: 1000,
};
