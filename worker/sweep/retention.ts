import { shortenAddress } from "#domain/ip-address.ts";
import { ACCOUNT_EVENT_RETENTION_MS, DEVICE_TTL_MS } from "#domain/sign-in.ts";
import { DAY_MS, HOUR_MS, utcDay } from "#domain/units.ts";
import { DELIVERY_RETENTION_MS } from "#domain/webhooks/delivery.ts";
import type { Services } from "../services.ts";
import { ADDRESS_TABLES, listFullAddresses, shortenAddresses, deleteExpiredRows } from "../db/retention.ts";
import { deleteOldEvents } from "../db/account-events.ts";
import { deleteEndedKeys } from "../db/api-keys.ts";
import { deleteOldDeviceCodes } from "../db/device-codes.ts";
import { deleteUnseenDevices } from "../db/devices.ts";
import { deleteOldAuditEntries } from "../db/admin-audit.ts";
import { deleteUnsuccessfulUploadRows, deleteOldFileRows } from "../db/admin-files.ts";
import { deleteExpiredAdminSessions } from "../db/admin-sessions.ts";
import { deleteOldUploadEvents } from "../db/upload-audit.ts";
import { deleteOldStripeEvents } from "../db/billing.ts";
import { deleteOldReconciliations } from "../db/reconciliation.ts";
import { deleteOldContactMessages } from "../db/contact-messages.ts";
import { deleteOldOverviewDays, deleteOldSweepRuns } from "../db/overview.ts";
import { deleteUnconfirmedAddresses } from "../db/receipts.ts";
import { forgetOldSharedKeys } from "../db/reports.ts";
import { forgetStartKeys } from "../db/resumable-uploads.ts";
import { deleteOldDeliveries } from "../db/webhook-deliveries.ts";

// Decision 020.
const ADDRESS_RETENTION_MS = 30 * DAY_MS;
const AUDIT_RETENTION_MS = 365 * DAY_MS;
/** What opens an encrypted link for the moderators, in an open report. */
const SHARED_KEY_RETENTION_MS = 30 * DAY_MS;
const CONTACT_RETENTION_MS = 365 * DAY_MS;
const FILE_ROW_RETENTION_MS = 90 * DAY_MS;
/** Of failed and cancelled uploads, from their start. */
const UPLOAD_ROW_RETENTION_MS = FILE_ROW_RETENTION_MS;
/** 1,440 rows at a run per minute. */
const SWEEP_RUN_RETENTION_MS = DAY_MS;
/** Stripe redelivers an event for up to three days. */
const STRIPE_EVENT_RETENTION_MS = 30 * DAY_MS;
/** Its owner can still see which key has run out. */
const ENDED_KEY_RETENTION_MS = 30 * DAY_MS;
/** Whoever types a code too late is told so. */
const DEVICE_CODE_RETENTION_MS = HOUR_MS;
/** Programs repeat a start within minutes. */
const START_KEY_RETENTION_MS = DAY_MS;
const RECONCILIATION_RETENTION_MS = 90 * DAY_MS;
const OVERVIEW_DAY_RETENTION_MS = AUDIT_RETENTION_MS;
/** Rows per table and run. */
const BATCH_SIZE = 500;

export interface RetentionResult {
  shortened: number;
  deletedRows: number;
}

/** @param now epoch milliseconds */
export async function applyRetention({ db }: Services, now: number): Promise<RetentionResult> {
  const deletedRows =
    (await deleteOldUploadEvents(db, now - AUDIT_RETENTION_MS, BATCH_SIZE)) +
    (await deleteOldAuditEntries(db, now - AUDIT_RETENTION_MS, BATCH_SIZE)) +
    (await deleteOldContactMessages(db, now - CONTACT_RETENTION_MS, BATCH_SIZE)) +
    (await deleteOldFileRows(db, now - FILE_ROW_RETENTION_MS, BATCH_SIZE)) +
    (await deleteUnsuccessfulUploadRows(db, now - UPLOAD_ROW_RETENTION_MS, BATCH_SIZE));
  await forgetOldSharedKeys(db, now - SHARED_KEY_RETENTION_MS);
  await deleteOldStripeEvents(db, now - STRIPE_EVENT_RETENTION_MS, BATCH_SIZE);
  await deleteEndedKeys(db, now - ENDED_KEY_RETENTION_MS, BATCH_SIZE);
  await deleteOldDeviceCodes(db, now - DEVICE_CODE_RETENTION_MS, BATCH_SIZE);
  await forgetStartKeys(db, now - START_KEY_RETENTION_MS);
  await deleteUnconfirmedAddresses(db, now - DAY_MS, BATCH_SIZE);
  await deleteOldDeliveries(db, now - DELIVERY_RETENTION_MS, BATCH_SIZE);
  await deleteExpiredAdminSessions(db, now, BATCH_SIZE);
  await deleteExpiredRows(db, now, BATCH_SIZE);
  await deleteUnseenDevices(db, now - DEVICE_TTL_MS, BATCH_SIZE);
  await deleteOldEvents(db, now - ACCOUNT_EVENT_RETENTION_MS, BATCH_SIZE);
  await deleteOldSweepRuns(db, now - SWEEP_RUN_RETENTION_MS, BATCH_SIZE);
  await deleteOldOverviewDays(db, utcDay(now - OVERVIEW_DAY_RETENTION_MS), BATCH_SIZE);
  await deleteOldReconciliations(db, now - RECONCILIATION_RETENTION_MS, BATCH_SIZE);
  let shortened = 0;
  for (const table of ADDRESS_TABLES) {
    const addresses = await listFullAddresses(db, table, now - ADDRESS_RETENTION_MS, BATCH_SIZE);
    await shortenAddresses(
      db,
      table,
      addresses.map(({ id, address }) => ({ id, address: shortenAddress(address) })),
    );
    shortened += addresses.length;
  }
  return { shortened, deletedRows };
}
