import { and, lte, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import {
  contactSubmissions,
  fileReports,
  sessions,
  uploadAuditLogs,
  emailChanges,
  steps,
  verifications,
} from "./schema.ts";

const TABLES = {
  uploadAuditLogs: { table: uploadAuditLogs, createdAt: uploadAuditLogs.timestamp },
  contactSubmissions: { table: contactSubmissions, createdAt: contactSubmissions.createdAt },
  fileReports: { table: fileReports, createdAt: fileReports.createdAt },
  sessions: { table: sessions, createdAt: sessions.createdAt },
};
export type AddressTable = keyof typeof TABLES;
export const ADDRESS_TABLES = Object.keys(TABLES) as AddressTable[];

/** Rows older than `before` with a full IP address. A shortened one contains a slash. */
export async function listFullAddresses(
  db: Database,
  name: AddressTable,
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

export async function shortenAddresses(
  db: Database,
  name: AddressTable,
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

/** Of people who sign in: what opens nothing once it has run out. @param now epoch milliseconds @param limit per table */
export async function deleteExpiredRows(db: Database, now: number, limit: number): Promise<void> {
  for (const table of [sessions, verifications, steps, emailChanges]) {
    const rowid = sql`${table}.rowid`;
    const expired = db
      .select({ rowid })
      .from(table)
      .where(lte(table.expiresAt, new Date(now)))
      .orderBy(table.expiresAt)
      .limit(limit);
    await db.delete(table).where(sql`${rowid} in ${expired}`);
  }
}
