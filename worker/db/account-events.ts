import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { AccountEventKind } from "#domain/sign-in.ts";
import type { Database } from "./client.ts";
import { accountEvents } from "./schema.ts";

export interface NewEvent {
  userId: string;
  /** Epoch milliseconds. */
  at: number;
  kind: AccountEventKind;
  /** The header `User-Agent`; "" where no browser was involved. */
  device: string;
  /** The shortened IP address; "" where no browser was involved. */
  address: string;
}

/**
 * The statement that inserts an event, for the batch of the change that the event reports.
 * @param condition the event is inserted only if the condition holds
 */
export function accountEventInsert(
  db: Database,
  { userId, at, kind, device, address }: NewEvent,
  condition: SQL = sql`true`,
) {
  return db
    .insert(accountEvents)
    .select(sql`select ${crypto.randomUUID()}, ${userId}, ${at}, ${kind}, ${device}, ${address} where ${condition}`);
}

/** Lists an account's security events, newest first. */
export async function listEvents(
  db: Database,
  userId: string,
  limit: number,
): Promise<(typeof accountEvents.$inferSelect)[]> {
  return db
    .select()
    .from(accountEvents)
    .where(eq(accountEvents.userId, userId))
    .orderBy(desc(accountEvents.at), desc(sql`${accountEvents}.rowid`))
    .limit(limit);
}

/** @returns when an event of this kind last happened to the account; null when it never happened */
export async function findLastEvent(db: Database, userId: string, kind: AccountEventKind): Promise<Date | null> {
  const [row] = await db
    .select({ at: accountEvents.at })
    .from(accountEvents)
    .where(and(eq(accountEvents.userId, userId), eq(accountEvents.kind, kind)))
    .orderBy(desc(accountEvents.at))
    .limit(1);
  return row?.at ?? null;
}
