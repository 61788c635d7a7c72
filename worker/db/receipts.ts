import { and, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { DAY_MS } from "#domain/units.ts";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { noticeEvents, receiptAddresses } from "./schema.ts";

/** The `user_id` in `mail_stops` for an address that wants no receipts. */
export const RECEIPTS = "receipts";

/** A mail address that senders gave for receipts. */
export interface ReceiptAddress {
  isConfirmed: boolean;
  /** The number of receipts since the present day began. */
  mails: number;
  /** When the next day of 24 hours begins, in epoch milliseconds. */
  dayEndsAt: number;
}

/**
 * @param digests of addresses
 * @param now epoch milliseconds
 * @returns addresses by digest; an address without a row is missing
 */
export async function findReceiptAddresses(
  db: Database,
  digests: readonly string[],
  now: number,
): Promise<Map<string, ReceiptAddress>> {
  const rows = await db
    .select()
    .from(receiptAddresses)
    .where(sql`${receiptAddresses.addressDigest} in (select value from json_each(${JSON.stringify(digests)}))`);
  return new Map(
    rows.map(({ addressDigest, confirmedAt, mails, dayBegan }) => {
      const dayEndsAt = dayBegan.getTime() + DAY_MS;
      return [addressDigest, { isConfirmed: confirmedAt !== null, mails: dayEndsAt > now ? mails : 0, dayEndsAt }];
    }),
  );
}

/** The statement that counts a receipt, for the batch that saves it. @param now epoch milliseconds */
export function countReceipt(db: Database, addressDigest: string, condition: SQL, now: number) {
  const isOver = sql`${receiptAddresses.dayBegan} <= ${now - DAY_MS}`;
  return db
    .insert(receiptAddresses)
    .select(sql`select ${addressDigest}, null, 1, ${now} where ${condition}`)
    .onConflictDoUpdate({
      target: receiptAddresses.addressDigest,
      set: {
        mails: sql`iif(${isOver}, 1, ${receiptAddresses.mails} + 1)`,
        dayBegan: sql`iif(${isOver}, ${now}, ${receiptAddresses.dayBegan})`,
      },
    });
}

/** Postpones the mail about notices. @param until epoch milliseconds */
export async function postponeNotices(db: Database, ids: readonly string[], until: number): Promise<void> {
  await retryIdempotent(() =>
    db
      .update(noticeEvents)
      .set({ dueAt: new Date(until) })
      .where(
        and(
          sql`${noticeEvents.id} in (select value from json_each(${JSON.stringify(ids)}))`,
          isNull(noticeEvents.mailedAt),
          isNotNull(noticeEvents.dueAt),
        ),
      ),
  );
}

/** Notes that an address is confirmed, so that its receipts name files. Idempotent. @param now epoch milliseconds */
export async function confirmReceiptAddress(db: Database, addressDigest: string, now: number): Promise<void> {
  const at = new Date(now);
  await retryIdempotent(() =>
    db
      .insert(receiptAddresses)
      .values({ addressDigest, confirmedAt: at, mails: 0, dayBegan: at })
      .onConflictDoUpdate({
        target: receiptAddresses.addressDigest,
        set: { confirmedAt: sql`coalesce(${receiptAddresses.confirmedAt}, ${now})` },
      }),
  );
}

export async function isReceiptAddressConfirmed(db: Database, addressDigest: string): Promise<boolean> {
  return (
    (await db.$count(
      receiptAddresses,
      and(eq(receiptAddresses.addressDigest, addressDigest), isNotNull(receiptAddresses.confirmedAt)),
    )) > 0
  );
}
