import { shortenAddress } from "#domain/address.ts";
import { DAY_MS, utcDay } from "#domain/units.ts";
import type { Services } from "../context.ts";
import { ADDRESS_TABLES, listWholeAddresses, shortenAddresses } from "../db/addresses.ts";
import { dropOldDeeds } from "../db/admin-audit.ts";
import { dropEndedUploadRows, dropOldFileRows } from "../db/admin-files.ts";
import { dropEndedAdminSessions } from "../db/admin-sessions.ts";
import { dropOldAuditRows } from "../db/audit.ts";
import { dropOldEvents } from "../db/billing.ts";
import { dropOldCensuses } from "../db/census.ts";
import { dropOldContact } from "../db/contact.ts";
import { dropOldDays, dropOldSweepRuns } from "../db/overview.ts";
import { dropEndedSessions, dropEndedVerifications } from "../db/sessions.ts";

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
/** A census a day; what it found is kept as long. */
const CENSUSES_KEPT_MS = 90 * DAY_MS;
/** As long as the events that they count. */
const OVERVIEW_DAYS_KEPT_MS = AUDIT_KEPT_MS;
/** Rows a run looks at: the cron comes every minute, so a backlog drains by itself. */
const BATCH = 500;

export interface RetentionResult {
  shortened: number;
  dropped: number;
}

/** Forgets what has been kept long enough. @param now epoch milliseconds */
export async function forgetOldTraces({ db }: Services, now: number): Promise<RetentionResult> {
  const dropped =
    (await dropOldAuditRows(db, now - AUDIT_KEPT_MS, BATCH)) +
    (await dropOldDeeds(db, now - AUDIT_KEPT_MS, BATCH)) +
    (await dropOldContact(db, now - CONTACT_KEPT_MS, BATCH)) +
    (await dropOldFileRows(db, now - FILE_ROWS_KEPT_MS, BATCH)) +
    (await dropEndedUploadRows(db, now - UPLOAD_ROWS_KEPT_MS, BATCH));
  await dropOldEvents(db, now - EVENTS_KEPT_MS, BATCH);
  await dropEndedAdminSessions(db, now, BATCH);
  await dropEndedSessions(db, now, BATCH);
  await dropEndedVerifications(db, now, BATCH);
  await dropOldSweepRuns(db, now - SWEEP_RUNS_KEPT_MS, BATCH);
  await dropOldDays(db, utcDay(now - OVERVIEW_DAYS_KEPT_MS), BATCH);
  await dropOldCensuses(db, now - CENSUSES_KEPT_MS, BATCH);
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
