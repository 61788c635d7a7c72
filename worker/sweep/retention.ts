import { shortenIp } from "#domain/ip-address.ts";
import { DAY_MS, utcDay } from "#domain/units.ts";
import { deleteEndedKeys } from "../db/api-keys.ts";
import { forgetCountedDownloads } from "../db/download-counts.ts";
import { deleteOldOverviewDays } from "../db/overview.ts";
import { deleteOldReconciliations } from "../db/reconciliation.ts";
import { forgetOldSharedKeys } from "../db/reports.ts";
import { forgetStartKeys } from "../db/resumable-uploads.ts";
import {
  ADDRESS_TABLES,
  deleteOldRows,
  EXPIRED_ROWS,
  listFullIps,
  oldRecords,
  OTHER_OLD_ROWS,
  shortenIps,
} from "../db/retention.ts";
import type { Services } from "../services.ts";

// How long a full IP address is kept (decision 020).
const ADDRESS_RETENTION_MS = 30 * DAY_MS;
/** How long an open report keeps the key of an encrypted link. */
const SHARED_KEY_RETENTION_MS = 30 * DAY_MS;
/** How long an ended API key stays listed, so that its owner can see that the key has expired. */
const ENDED_KEY_RETENTION_MS = 30 * DAY_MS;
/** How long an `Idempotency-Key` is kept. Programs repeat a start within minutes. */
const START_KEY_RETENTION_MS = DAY_MS;
/**
 * How long the id of a counted download is kept: a day longer than its message can live, which is four days in its
 * queue and four days among the dead letters.
 */
const COUNTED_DOWNLOAD_RETENTION_MS = 9 * DAY_MS;
/** The most ids of counted downloads that a run deletes: 7 million a day. */
const FORGOTTEN_DOWNLOADS = 5000;
const RECONCILIATION_RETENTION_MS = 90 * DAY_MS;
const OVERVIEW_DAY_RETENTION_MS = 365 * DAY_MS;
/** The most rows of a table that a run deletes. */
const BATCH_SIZE = 500;

export interface RetentionResult {
  shortened: number;
  deletedRows: number;
}

/** Deletes old rows and shortens old IP addresses. @param now epoch milliseconds */
export async function applyRetention({ db, settings }: Services, now: number): Promise<RetentionResult> {
  let deletedRows = 0;
  for (const rows of Object.values(oldRecords(settings))) deletedRows += await deleteOldRows(db, rows, now, BATCH_SIZE);
  await forgetOldSharedKeys(db, now - SHARED_KEY_RETENTION_MS);
  await deleteEndedKeys(db, now - ENDED_KEY_RETENTION_MS, BATCH_SIZE);
  await forgetStartKeys(db, now - START_KEY_RETENTION_MS);
  for (const rows of Object.values({ ...OTHER_OLD_ROWS, ...EXPIRED_ROWS })) {
    await deleteOldRows(db, rows, now, BATCH_SIZE);
  }
  await forgetCountedDownloads(db, now - COUNTED_DOWNLOAD_RETENTION_MS, FORGOTTEN_DOWNLOADS);
  await deleteOldOverviewDays(db, utcDay(now - OVERVIEW_DAY_RETENTION_MS), BATCH_SIZE);
  await deleteOldReconciliations(db, now - RECONCILIATION_RETENTION_MS, BATCH_SIZE);
  let shortened = 0;
  for (const table of ADDRESS_TABLES) {
    const addresses = await listFullIps(db, table, now - ADDRESS_RETENTION_MS, BATCH_SIZE);
    await shortenIps(
      db,
      table,
      addresses.map(({ id, address }) => ({ id, address: shortenIp(address) })),
    );
    shortened += addresses.length;
  }
  return { shortened, deletedRows };
}
