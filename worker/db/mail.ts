import { desc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { localMailbox, mailOutbox } from "./schema.ts";

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
  /** Epoch milliseconds from which the cron sends the mail. */
  dueAt: number;
}

export async function addToOutbox(db: Database, mail: RenderedMail, nextAttemptAt: number): Promise<void> {
  await db.insert(mailOutbox).values({ ...mail, nextAttemptAt: new Date(nextAttemptAt) });
}

/** For the batch of the change that the mail reports: saves the mail if `condition` holds. */
export function outboxInsert(db: Database, { mail, dueAt }: DueMail, condition: SQL, now: number) {
  return db.insert(mailOutbox).select(sql`select ${mailColumns(mail)}, 0, ${dueAt}, ${now} where ${condition}`);
}

/** The values of the first columns of `mail_outbox`. */
export function mailColumns({ id, to, subject, html, text, headers }: RenderedMail): SQL {
  return sql`${id}, ${to}, ${subject}, ${html}, ${text}, ${headers && JSON.stringify(headers)}`;
}

export async function listDueMail(db: Database, now: number, limit: number): Promise<OutgoingMail[]> {
  return db
    .select()
    .from(mailOutbox)
    .where(lte(mailOutbox.nextAttemptAt, new Date(now)))
    .orderBy(mailOutbox.nextAttemptAt)
    .limit(limit);
}

/** Enough to see whether mail as a whole fails. */
const SAMPLED_MAILS = 200;

/** The mails that are due first, without their texts. */
export async function sampleOutbox(
  db: Database,
): Promise<Pick<typeof mailOutbox.$inferSelect, "to" | "attempts" | "nextAttemptAt">[]> {
  return db
    .select({ to: mailOutbox.to, attempts: mailOutbox.attempts, nextAttemptAt: mailOutbox.nextAttemptAt })
    .from(mailOutbox)
    .orderBy(mailOutbox.nextAttemptAt)
    .limit(SAMPLED_MAILS);
}

export async function recordMailFailure(db: Database, id: string, nextAttemptAt: number): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ attempts: sql`${mailOutbox.attempts} + 1`, nextAttemptAt: new Date(nextAttemptAt) })
    .where(eq(mailOutbox.id, id));
}

export async function removeFromOutbox(db: Database, id: string): Promise<void> {
  await db.delete(mailOutbox).where(eq(mailOutbox.id, id));
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
