import { and, desc, eq, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import { DAY_MS } from "#domain/units.ts";
import type { Database } from "./client.ts";
import { retryIdempotent } from "./retries.ts";
import { localMailbox, mailDays, mailOutbox } from "./schema.ts";

export interface RenderedMail {
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string> | null;
}

export interface OutgoingMail extends RenderedMail {
  attempts: number;
}

/** A mail that is saved in one batch with the change that it reports. */
export interface DueMail {
  mail: RenderedMail;
  /** Epoch milliseconds from which the cron gives the mail to a queue once more. */
  dueAt: number;
}

export async function addToOutbox(db: Database, mail: RenderedMail, nextAttemptAt: number): Promise<void> {
  await db.insert(mailOutbox).values({ ...mail, nextAttemptAt: new Date(nextAttemptAt) });
}

/** The statement that saves a mail if `condition` holds, for the batch of the change that the mail reports. */
export function outboxInsert(db: Database, { mail, dueAt }: DueMail, condition: SQL, now: number) {
  const { id, to, subject, html, text, headers } = mail;
  const columns = sql`${id}, ${to}, ${subject}, ${html}, ${text}, ${headers && JSON.stringify(headers)}`;
  return db.insert(mailOutbox).select(sql`select ${columns}, 0, ${dueAt}, ${now}, null, null where ${condition}`);
}

/** @returns the mails among these ids that are still to be sent */
export async function findMails(db: Database, ids: readonly string[]): Promise<OutgoingMail[]> {
  return db
    .select()
    .from(mailOutbox)
    .where(and(isOne(ids), isNull(mailOutbox.refusedAt)));
}

/** What a queue needs to know of a mail. */
export type QueuedMail = Pick<OutgoingMail, "id" | "headers">;

/**
 * Finds mails whose delivery the cron has to start again, the longest due first.
 * @param until when the cron has to start their delivery once more
 */
export async function claimLateMail(db: Database, now: number, until: number, limit: number): Promise<QueuedMail[]> {
  const late = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(lte(mailOutbox.nextAttemptAt, new Date(now)), isNull(mailOutbox.refusedAt)))
    .orderBy(mailOutbox.nextAttemptAt)
    .limit(limit);
  // A batch of one statement, because only a batch's result contains the statement's cost.
  const [claimed] = await db.batch([
    db
      .update(mailOutbox)
      .set({ nextAttemptAt: new Date(until) })
      .where(sql`${mailOutbox.id} in ${late}`)
      .returning({ id: mailOutbox.id, headers: mailOutbox.headers }),
  ]);
  return claimed;
}

function isOne(ids: readonly string[]): SQL {
  return sql`${mailOutbox.id} in (select value from json_each(${JSON.stringify(ids)}))`;
}

/** So many mails are enough to see whether all mail fails. */
const SAMPLED_MAILS = 200;

/** The mails that are due first, without their texts. */
export async function sampleOutbox(
  db: Database,
): Promise<Pick<typeof mailOutbox.$inferSelect, "to" | "attempts" | "failure" | "nextAttemptAt" | "createdAt">[]> {
  const { to, attempts, failure, nextAttemptAt, createdAt } = mailOutbox;
  return db
    .select({ to, attempts, failure, nextAttemptAt, createdAt })
    .from(mailOutbox)
    .where(isNull(mailOutbox.refusedAt))
    .orderBy(mailOutbox.nextAttemptAt)
    .limit(SAMPLED_MAILS);
}

/** The result of an attempt to send a mail. */
export type MailResult = { id: string } & (
  | { kind: "sent" }
  /** @param nextAttemptAt epoch milliseconds */
  | { kind: "waits"; attempts: number; failure: string; nextAttemptAt: number }
  | { kind: "refused"; attempts: number; failure: string }
);

/** How long the row of a refused mail is kept (decision 020). */
export const REFUSED_MAIL_RETENTION_MS = 30 * DAY_MS;

/**
 * Saves the results of attempts to send mails.
 * @param day the UTC day whose sent mails are counted; null to count none
 * @param now epoch milliseconds
 */
export async function saveMailResults(
  db: Database,
  results: readonly MailResult[],
  day: string | null,
  now: number,
): Promise<void> {
  const sent = results.flatMap(({ id, kind }) => (kind === "sent" ? [id] : []));
  const updates = results.flatMap((result) => (result.kind === "sent" ? [] : [mailUpdate(db, result, now)]));
  const deletion = db.delete(mailOutbox).where(isOne(sent));
  const count = day === null ? [] : [countSent(db, day)];
  const [first, ...others] = sent.length > 0 ? [deletion, ...count, ...updates] : updates;
  if (first !== undefined) await retryIdempotent(() => db.batch([first, ...others]));
}

function mailUpdate(db: Database, result: Exclude<MailResult, { kind: "sent" }>, now: number) {
  const { id, kind, attempts, failure } = result;
  const outcome =
    kind === "waits"
      ? { nextAttemptAt: new Date(result.nextAttemptAt) }
      : {
          refusedAt: new Date(now),
          nextAttemptAt: new Date(now + REFUSED_MAIL_RETENTION_MS),
          html: "",
          text: "",
          headers: null,
        };
  return db
    .update(mailOutbox)
    .set({ attempts, failure, ...outcome })
    .where(eq(mailOutbox.id, id));
}

/**
 * The statement that adds the number of rows that the batch's previous statement has deleted to the day's sent mails.
 */
function countSent(db: Database, day: string) {
  return db
    .insert(mailDays)
    .select(sql`select ${day}, changes() where changes() > 0`)
    .onConflictDoUpdate({ target: mailDays.day, set: { sent: sql`${mailDays.sent} + excluded.sent` } });
}

/** @param day a UTC day */
export async function countSentMails(db: Database, day: string): Promise<number> {
  const [row] = await db.select({ sent: mailDays.sent }).from(mailDays).where(eq(mailDays.day, day));
  return row?.sent ?? 0;
}

/** The statement that lists the refused mails, the newest first, for a batch. */
export function selectRefusedMails(db: Database, limit: number) {
  const { id, to, subject, failure, refusedAt } = mailOutbox;
  return db
    .select({ id, to, subject, failure, refusedAt })
    .from(mailOutbox)
    .where(isNotNull(refusedAt))
    .orderBy(desc(refusedAt))
    .limit(limit);
}

/** Stores a mail that the local transport "sends". Idempotent. */
export async function saveLocalMail(db: Database, mail: RenderedMail, now: number): Promise<void> {
  const { id, to, subject, html, text, headers } = mail;
  await db
    .insert(localMailbox)
    .values({ id, to, subject, html, text, headers, sentAt: new Date(now) })
    .onConflictDoNothing();
}

const MAX_LOCAL_MAILS = 50;

export async function listLocalMail(db: Database): Promise<(RenderedMail & { sentAt: Date })[]> {
  return db.select().from(localMailbox).orderBy(desc(localMailbox.sentAt)).limit(MAX_LOCAL_MAILS);
}
