/** How much one database carries, computed from what single uploads and downloads were measured to add. */

const DAY_SECONDS = 86_400;

/** Statements that D1 runs one after the other. Each statement of a batch counts. */
export interface StatementUse {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface UploadUse extends StatementUse {
  /** Bytes that are deleted with the file's bytes: lists of files. */
  liveBytes: number;
  /** Bytes that are kept for ENDED_FILE_DAYS after the file's bytes: its row, with the row's entries in indexes. */
  rowBytes: number;
  /** Bytes that are kept for UPLOAD_LOG_DAYS from the upload's end. */
  logBytes: number;
}

/**
 * A download raises numbers in rows that exist. The model leaves out the id of a download, which is kept for nine days
 * (decision 053).
 */
export type DownloadUse = StatementUse;

/** The share of each kind; all shares add up to 1. */
export type Shares<Kind extends string> = Record<Kind, number>;

/** @returns the mean of all kinds @throws Error for shares that do not add up to 1 */
export function meanOf<Kind extends string, Name extends string>(
  uses: Record<Kind, Record<Name, number>>,
  shares: Shares<Kind>,
): Record<Name, number> {
  const kinds = Object.keys(shares) as Kind[];
  const total = kinds.reduce((sum, kind) => sum + shares[kind], 0);
  if (Math.abs(total - 1) > 1e-9) throw new Error(`the shares add up to ${total}`);
  const meanBy = (name: Name) => kinds.reduce((sum, kind) => sum + uses[kind][name] * shares[kind], 0);
  const names = kinds.slice(0, 1).flatMap((kind) => Object.keys(uses[kind]) as Name[]);
  return Object.fromEntries(names.map((name) => [name, meanBy(name)])) as Record<Name, number>;
}

export interface Site {
  uploadsPerDay: number;
  downloadsPerDay: number;
  /** The mean time from an upload's end until its bytes are deleted. */
  lifetimeDays: number;
  endedFileDays: number;
  uploadLogDays: number;
  /** The bytes of other rows in the database: accounts, sessions, texts. */
  otherBytes: number;
  limitBytes: number;
  /** The load of the busiest second, as a multiple of the day's mean load. */
  peak: number;
  /** The statements that D1 runs in a second: 1,000 of 1 ms each (Cloudflare, "D1 limits"). */
  statementsPerSecond: number;
}

export interface ScaleFigures {
  /** The size once as many rows are deleted each day as are added. */
  steadyBytes: number;
  /** Null if the database never fills. */
  daysUntilFull: number | null;
  statementsPerSecondAtPeak: number;
  /** The most uploads a day that fit into the database for ever. */
  mostUploadsPerDay: number;
  /** The most downloads a day beside the site's uploads, as far as D1 can run their statements. */
  mostDownloadsPerDay: number;
}

export function scaleOf(upload: UploadUse, download: DownloadUse, site: Site): ScaleFigures {
  const { uploadsPerDay, downloadsPerDay, limitBytes, otherBytes, peak, statementsPerSecond } = site;
  const kept = [
    { bytes: upload.liveBytes, days: site.lifetimeDays },
    { bytes: upload.rowBytes, days: site.lifetimeDays + site.endedFileDays },
    { bytes: upload.logBytes, days: site.uploadLogDays },
  ];
  const bytesAfter = (days: number) =>
    kept.reduce((sum, { bytes, days: keptDays }) => sum + bytes * Math.min(days, keptDays), 0);
  const steadyDays = Math.max(...kept.map(({ days }) => days));
  const fits = (days: number) => otherBytes + uploadsPerDay * bytesAfter(days) <= limitBytes;
  let daysUntilFull: number | null = null;
  if (!fits(steadyDays)) {
    daysUntilFull = 0;
    while (fits(daysUntilFull + 1)) daysUntilFull += 1;
  }
  const uploadStatements = uploadsPerDay * upload.statements;
  const statementsOnAverageDay = (statementsPerSecond * DAY_SECONDS) / peak;
  return {
    steadyBytes: otherBytes + uploadsPerDay * bytesAfter(steadyDays),
    daysUntilFull,
    statementsPerSecondAtPeak: ((uploadStatements + downloadsPerDay * download.statements) / DAY_SECONDS) * peak,
    mostUploadsPerDay: Math.floor((limitBytes - otherBytes) / bytesAfter(steadyDays)),
    mostDownloadsPerDay: Math.max(0, Math.floor((statementsOnAverageDay - uploadStatements) / download.statements)),
  };
}
