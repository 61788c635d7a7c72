import { shortenAddress } from "#domain/ip-address.ts";
import { DAY_MS, utcDay } from "#domain/units.ts";
import type { Services } from "../services.ts";
import { ADDRESS_TABLES, listWholeAddresses, shortenAddresses } from "../db/addresses.ts";
import { deleteOldAuditEntries } from "../db/admin-audit.ts";
import { deleteEndedUploadRows, deleteOldFileRows } from "../db/admin-files.ts";
import { deleteEndedAdminSessions } from "../db/admin-sessions.ts";
import { deleteOldUploadEvents } from "../db/upload-audit.ts";
import { deleteOldStripeEvents } from "../db/billing.ts";
import { deleteOldReconciliations } from "../db/reconciliation.ts";
import { deleteOldContactMessages } from "../db/contact-messages.ts";
import { deleteOldOverviewDays, deleteOldSweepRuns } from "../db/overview.ts";
import { deleteEndedSessions, deleteEndedVerifications } from "../db/sessions.ts";

/**
 * Addresses are shortened after 30 days; audit rows go after 365, contact messages after 12 months, a file's row 90 days
 * after its bytes (decisions, Keeping and forgetting).
 */
const ADDRESS_KEPT_MS = 30 * DAY_MS;
const AUDIT_KEPT_MS = 365 * DAY_MS;
const CONTACT_KEPT_MS = 365 * DAY_MS;
const FILE_ROWS_KEPT_MS = 90 * DAY_MS;
/** From an upload's start, where no file came of it: as long as a file's row is kept after its bytes. */
const UPLOAD_ROWS_KEPT_MS = FILE_ROWS_KEPT_MS;
/** A run a minute: 1,440 rows. */
const SWEEP_RUNS_KEPT_MS = DAY_MS;
/** Stripe delivers an event again for three days at most. */
const EVENTS_KEPT_MS = 30 * DAY_MS;
/** A reconciliation a day; what it found is kept as long. */
const RECONCILIATIONS_KEPT_MS = 90 * DAY_MS;
/** As long as the events that they count. */
const OVERVIEW_DAYS_KEPT_MS = AUDIT_KEPT_MS;
/** Rows a run looks at: the cron comes every minute, so a backlog drains by itself. */
const BATCH = 500;

export interface RetentionResult {
  shortened: number;
  dropped: number;
}

/** Forgets what has been kept long enough. @param now epoch milliseconds */
export async function applyRetention({ db }: Services, now: number): Promise<RetentionResult> {
  const dropped =
    (await deleteOldUploadEvents(db, now - AUDIT_KEPT_MS, BATCH)) +
    (await deleteOldAuditEntries(db, now - AUDIT_KEPT_MS, BATCH)) +
    (await deleteOldContactMessages(db, now - CONTACT_KEPT_MS, BATCH)) +
    (await deleteOldFileRows(db, now - FILE_ROWS_KEPT_MS, BATCH)) +
    (await deleteEndedUploadRows(db, now - UPLOAD_ROWS_KEPT_MS, BATCH));
  await deleteOldStripeEvents(db, now - EVENTS_KEPT_MS, BATCH);
  await deleteEndedAdminSessions(db, now, BATCH);
  await deleteEndedSessions(db, now, BATCH);
  await deleteEndedVerifications(db, now, BATCH);
  await deleteOldSweepRuns(db, now - SWEEP_RUNS_KEPT_MS, BATCH);
  await deleteOldOverviewDays(db, utcDay(now - OVERVIEW_DAYS_KEPT_MS), BATCH);
  await deleteOldReconciliations(db, now - RECONCILIATIONS_KEPT_MS, BATCH);
  let shortened = 0;
  for (const table of ADDRESS_TABLES) {
    const whole = await listWholeAddresses(db, table, now - ADDRESS_KEPT_MS, BATCH);
    await shortenAddresses(
      db,
      table,
      whole.map(({ id, address }) => ({ id, address: shortenAddress(address) })),
    );
    shortened += whole.length;
  }
  return { shortened, dropped };
}
