import { and, lte, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { contactSubmissions, fileReports, sessions, uploadAuditLogs } from "./schema.ts";

/** Every table that keeps the addresses people called from, and when its rows were written. */
const KEEPING = {
  uploadAuditLogs: { table: uploadAuditLogs, writtenAt: uploadAuditLogs.timestamp },
  contactSubmissions: { table: contactSubmissions, writtenAt: contactSubmissions.createdAt },
  fileReports: { table: fileReports, writtenAt: fileReports.createdAt },
  sessions: { table: sessions, writtenAt: sessions.createdAt },
};
export type AddressTable = keyof typeof KEEPING;
export const ADDRESS_TABLES = Object.keys(KEEPING) as AddressTable[];

/** Rows older than `before` that still hold a whole address. A shortened one has a slash. */
export async function listWholeAddresses(
  db: Database,
  name: AddressTable,
  before: number,
  limit: number,
): Promise<{ id: string; address: string }[]> {
  const { table, writtenAt } = KEEPING[name];
  const rows = await db
    .select({ id: table.id, address: table.ipAddress })
    .from(table)
    .where(and(lte(writtenAt, new Date(before)), sql`instr(${table.ipAddress}, '/') = 0`))
    .orderBy(writtenAt)
    .limit(limit);
  return rows.flatMap(({ id, address }) => (address === null ? [] : [{ id, address }]));
}

/** Replaces addresses by shortened ones, all in one statement. */
export async function shortenAddresses(
  db: Database,
  name: AddressTable,
  shortened: { id: string; address: string }[],
): Promise<void> {
  if (shortened.length === 0) return;
  const { table } = KEEPING[name];
  const list = JSON.stringify(shortened);
  await db
    .update(table)
    .set({
      ipAddress: sql`(select json_extract(value, '$.address') from json_each(${list}) where json_extract(value, '$.id') = ${table.id})`,
    })
    .where(sql`${table.id} in (select json_extract(value, '$.id') from json_each(${list}))`);
}
