import { and, asc, count, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Locale } from "#domain/locale.ts";
import type { Database } from "./client.ts";
import type { RenderedMail } from "./mail.ts";
import { outboxInsert } from "./mail.ts";
import { retryIdempotent } from "./retries.ts";
import { files, mailStops, recipients, users } from "./schema.ts";

export type RecipientRow = typeof recipients.$inferSelect;

const COUNT_ON_RECIPIENTS = `
  update recipients set downloads = downloads + (told.value ->> 'count'),
    last_download_at = max(coalesce(last_download_at, 0), told.value ->> 'last'),
    first_download_at = min(coalesce(first_download_at, told.value ->> 'first'), told.value ->> 'first')
  from json_each(?) as told where recipients.id = told.value ->> 'recipient'`;

/**
 * The statement that counts downloads for recipients, for the batch that counts them in all. The SQL is handwritten for
 * speed: see worker/db/client.ts.
 * @param downloads by recipient; `first` and `last` are epoch milliseconds
 */
export function countOnRecipients(
  { $client }: Database,
  downloads: readonly { recipient: string; count: number; first: number; last: number }[],
): D1PreparedStatement {
  return $client.prepare(COUNT_ON_RECIPIENTS).bind(JSON.stringify(downloads));
}

export async function listRecipients(db: Database, transferId: string): Promise<RecipientRow[]> {
  return db.select().from(recipients).where(eq(recipients.transferId, transferId)).orderBy(asc(recipients.email));
}

export async function countRecipients(db: Database, transferId: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(recipients).where(eq(recipients.transferId, transferId));
  return row?.total ?? 0;
}

/** @returns null if no recipient of this link has the token */
export async function findRecipientByToken(
  db: Database,
  transferId: string,
  token: string,
): Promise<RecipientRow | null> {
  const [row] = await db
    .select()
    .from(recipients)
    .where(and(eq(recipients.token, token), eq(recipients.transferId, transferId)));
  return row ?? null;
}

export async function findRecipient(db: Database, id: string): Promise<RecipientRow | null> {
  const [row] = await db.select().from(recipients).where(eq(recipients.id, id)).limit(1);
  return row ?? null;
}

export interface MailedRecipient {
  id: string;
  email: string;
  token: string;
}

export interface RecipientMail extends MailedRecipient {
  mail: RenderedMail;
  /** From this time on, in epoch milliseconds, the cron sends the mail. */
  dueAt: number;
}

/**
 * Saves the recipients of a link and the mails to them, all or none. A known address keeps its row and token.
 * @param mails the mails to those addresses that accept mail
 * @param most how many recipients a transfer may have
 * @param now epoch milliseconds
 * @returns false when the transfer would have more than `most` recipients
 */
export async function saveRecipients(
  db: Database,
  transferId: string,
  addresses: readonly MailedRecipient[],
  mails: readonly RecipientMail[],
  most: number,
  now: number,
): Promise<boolean> {
  const list = JSON.stringify(addresses.map(({ id, email, token }) => [id, email, token]));
  const insert = db
    .insert(recipients)
    .select(
      sql`
        select value ->> 0, ${transferId}, value ->> 1, value ->> 2, ${now}, null, null, null, 0, null
        from json_each(${list})
        where ${addresses.length} + (
          select count(*) from ${recipients}
          where ${recipients.transferId} = ${transferId}
            and ${recipients.email} not in (select value ->> 1 from json_each(${list}))) <= ${most}`,
    )
    .onConflictDoUpdate({
      target: [recipients.transferId, recipients.email],
      set: { sentAt: new Date(now), stoppedAt: null },
    });
  // If another call has just saved the address with another token, that other call sends the mail.
  const inserts = mails.map(({ token, mail, dueAt }) => {
    const isSaved = and(eq(recipients.token, token), eq(recipients.sentAt, new Date(now)));
    return outboxInsert(db, { mail, dueAt }, sql`exists (select 1 from ${recipients} where ${isSaved})`, now);
  });
  const [inserted] = await db.batch([insert, ...inserts]);
  return inserted.meta.changes > 0;
}

/** Stops mails to a recipient. @returns false when the recipient does not exist */
export async function stopRecipient(db: Database, transferId: string, id: string, now: number): Promise<boolean> {
  const { meta } = await retryIdempotent(() =>
    db
      .update(recipients)
      .set({ stoppedAt: sql`coalesce(${recipients.stoppedAt}, ${now})` })
      .where(and(eq(recipients.id, id), eq(recipients.transferId, transferId))),
  );
  return meta.changes === 1;
}

/**
 * Notes when a recipient, not the owner, first opened the page. Idempotent.
 * @param viewerId the account of the person who opened the page; null if signed out
 */
export async function noteOpenedBy(
  db: Database,
  { downloadId, token, viewerId }: { downloadId: string; token: string; viewerId: string | null },
  now: number,
): Promise<void> {
  const link = db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.downloadId, downloadId), sql`${files.userId} is not ${viewerId}`));
  await retryIdempotent(() =>
    db
      .update(recipients)
      .set({ openedAt: new Date(now) })
      .where(and(eq(recipients.token, token), isNull(recipients.openedAt), inArray(recipients.transferId, link))),
  );
}

/** The languages of addresses that belong to an account. @param emails in lower case */
export async function findLocales(db: Database, emails: readonly string[]): Promise<Map<string, Locale>> {
  const rows = await db
    .select({ email: users.email, locale: users.locale })
    .from(users)
    .where(sql`${users.email} in (select value from json_each(${JSON.stringify(emails)}))`);
  return new Map(rows.flatMap(({ email, locale }) => (locale === null ? [] : [[email, locale] as const])));
}

/**
 * @param digests of addresses
 * @param userId the account whose mails are meant, "" for all mails
 * @returns the digests of those addresses that refuse the mails
 */
export async function findStops(db: Database, digests: readonly string[], userId: string): Promise<Set<string>> {
  const rows = await db
    .select({ digest: mailStops.addressDigest })
    .from(mailStops)
    .where(
      and(
        sql`${mailStops.addressDigest} in (select value from json_each(${JSON.stringify(digests)}))`,
        sql`${mailStops.userId} in ('', ${userId})`,
      ),
    );
  return new Set(rows.map(({ digest }) => digest));
}
