import { and, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { ACCOUNT_EVENT_RETENTION_MS, DEVICE_TTL_MS } from "#domain/sign-in.ts";
import { DAY_MS, HOUR_MS } from "#domain/units.ts";
import { DELIVERY_RETENTION_MS } from "#domain/webhooks/delivery.ts";
import type { Settings } from "../settings.ts";
import type { Database } from "./client.ts";
import { REFUSED_MAIL_RETENTION_MS } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import {
  accountEvents,
  adminAuditLogs,
  adminSessions,
  barredMailboxes,
  cases,
  contactSubmissions,
  deviceCodes,
  devices,
  emailChanges,
  fileReports,
  files,
  mailOutbox,
  newAccountDays,
  receiptAddresses,
  sessions,
  challenges,
  statements,
  stripeEvents,
  sweepRuns,
  uploadAuditLogs,
  users,
  verifications,
  webhookDeliveries,
} from "./schema.ts";

const TABLES = {
  uploadAuditLogs: { table: uploadAuditLogs, createdAt: uploadAuditLogs.timestamp },
  contactSubmissions: { table: contactSubmissions, createdAt: contactSubmissions.createdAt },
  fileReports: { table: fileReports, createdAt: fileReports.createdAt },
  sessions: { table: sessions, createdAt: sessions.createdAt },
};
export type IpTable = keyof typeof TABLES;
export const ADDRESS_TABLES = Object.keys(TABLES) as IpTable[];

/** Lists rows older than `before` with a full IP address. A shortened address contains a slash. */
export async function listFullIps(
  db: Database,
  name: IpTable,
  before: number,
  limit: number,
): Promise<{ id: string; address: string }[]> {
  const { table, createdAt } = TABLES[name];
  const rows = await db
    .select({ id: table.id, address: table.ipAddress })
    .from(table)
    .where(and(lte(createdAt, new Date(before)), sql`instr(${table.ipAddress}, '/') = 0`))
    .orderBy(createdAt)
    .limit(limit);
  return rows.flatMap(({ id, address }) => (address === null ? [] : [{ id, address }]));
}

export async function shortenIps(
  db: Database,
  name: IpTable,
  shortened: { id: string; address: string }[],
): Promise<void> {
  if (shortened.length === 0) return;
  const { table } = TABLES[name];
  const list = JSON.stringify(shortened);
  await db
    .update(table)
    .set({
      ipAddress: sql`(select json_extract(value, '$.address') from json_each(${list}) where json_extract(value, '$.id') = ${table.id})`,
    })
    .where(sql`${table.id} in (select json_extract(value, '$.id') from json_each(${list}))`);
}

interface OldRows {
  /** The time from which `keptMs` counts until a row is deleted. */
  at: SQLiteColumn;
  keptMs: number;
  only?: SQL;
}

/** So long that the numbers of a whole year can be downloaded in the year after it. */
const MODERATION_MS = 2 * 366 * DAY_MS;

/** Records of people's actions and messages (decision 020). The cron's log counts the deleted rows. */
export function oldRecords({ uploadLogMs, endedFileMs }: Pick<Settings, "uploadLogMs" | "endedFileMs">) {
  return {
    uploadEvents: { at: uploadAuditLogs.timestamp, keptMs: uploadLogMs },
    auditEntries: { at: adminAuditLogs.at, keptMs: 365 * DAY_MS },
    contactMessages: { at: contactSubmissions.createdAt, keptMs: 365 * DAY_MS },
    closedCases: { at: cases.closedAt, keptMs: MODERATION_MS, only: isNotNull(cases.closedAt) },
    statements: { at: statements.at, keptMs: MODERATION_MS },
    barredMailboxes: {
      at: barredMailboxes.at,
      keptMs: MODERATION_MS,
      only: sql`not exists (select 1 from ${users} where ${users.id} = ${barredMailboxes.userId})`,
    },
    deletedFiles: { at: files.s3DeletedAt, keptMs: endedFileMs, only: isNotNull(files.s3DeletedAt) },
    unsuccessfulUploads: {
      at: files.createdAt,
      keptMs: endedFileMs,
      // The condition has literals, not parameters: with parameters, SQLite does not use the partial index.
      only: sql`${files.status} in ('failed', 'cancelled')`,
    },
  } satisfies Record<string, OldRows>;
}

/** Rows that grant nothing once they have expired. */
export const EXPIRED_ROWS = {
  adminSessions: { at: adminSessions.expiresAt, keptMs: 0 },
  sessions: { at: sessions.expiresAt, keptMs: 0 },
  verifications: { at: verifications.expiresAt, keptMs: 0 },
  steps: { at: challenges.expiresAt, keptMs: 0 },
  emailChanges: { at: emailChanges.expiresAt, keptMs: 0 },
} satisfies Record<string, OldRows>;

export const OTHER_OLD_ROWS = {
  // Events are kept longer than the three days for which Stripe redelivers an event.
  stripeEvents: { at: stripeEvents.handledAt, keptMs: 30 * DAY_MS },
  // An expired code is kept for an hour, so that a person who types the code too late is told that it has expired.
  deviceCodes: { at: deviceCodes.expiresAt, keptMs: HOUR_MS },
  // Deletes addresses that nobody confirmed and that got no receipt within the last day.
  unconfirmedAddresses: {
    at: receiptAddresses.dayBegan,
    keptMs: DAY_MS,
    only: isNull(receiptAddresses.confirmedAt),
  },
  deliveries: { at: webhookDeliveries.createdAt, keptMs: DELIVERY_RETENTION_MS },
  newAccountDays: { at: newAccountDays.day, keptMs: 2 * DAY_MS },
  unseenDevices: { at: devices.lastSeenAt, keptMs: DEVICE_TTL_MS },
  accountEvents: { at: accountEvents.at, keptMs: ACCOUNT_EVENT_RETENTION_MS },
  refusedMails: { at: mailOutbox.refusedAt, keptMs: REFUSED_MAIL_RETENTION_MS, only: isNotNull(mailOutbox.refusedAt) },
  // Runs are kept for a day only, because a run per minute makes up to 1,440 rows a day.
  sweepRuns: { at: sweepRuns.startedAt, keptMs: DAY_MS },
} satisfies Record<string, OldRows>;

/** Deletes old rows, the oldest first. @param now epoch milliseconds @returns the number of deleted rows */
export async function deleteOldRows(
  db: Database,
  { at, keptMs, only }: OldRows,
  now: number,
  limit: number,
): Promise<number> {
  const rowid = sql`${at.table}.rowid`;
  const old = db
    .select({ rowid })
    .from(at.table)
    .where(and(only, lte(at, new Date(now - keptMs))))
    .orderBy(at)
    .limit(limit);
  const deletion = db.delete(at.table).where(sql`${rowid} in ${old}`);
  // Counts the returned rows, because D1's `changes` also counts the rows that cascades and triggers change. Runs a
  // batch of one statement, because only a batch's result contains the statement's cost.
  const [deleted] = await retryIdempotent(() => db.batch([deletion.returning({ rowid })]));
  return deleted.length;
}
