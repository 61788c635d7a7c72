import { and, eq, sql, type SQL } from "drizzle-orm";
import { mailboxOf } from "#domain/moderation/mailbox.ts";
import { EMAIL_UNDO_MS } from "#domain/sign-in.ts";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { hashToken } from "../tokens.ts";
import { barredMailboxes, emailChanges, users } from "./schema.ts";

/**
 * Notes a requested change of address, and saves the mail to the former address. Call it before the new address is
 * used.
 */
export async function saveEmailChange(
  db: Database,
  { former, tokenHash }: { former: string; tokenHash: string },
  event: NewEvent,
  mail: DueMail,
): Promise<void> {
  const { userId, at } = event;
  await db.batch([
    db
      .insert(emailChanges)
      .values({ userId, former, tokenHash, createdAt: new Date(at), expiresAt: new Date(at + EMAIL_UNDO_MS) }),
    accountEventInsert(db, event),
    outboxInsert(db, mail, sql`true`, at),
  ]);
}

/**
 * The statements that note the use of a new address and start the time for its undo. In the batch, these statements
 * follow the update of the address.
 */
export function noteEmailUse(db: Database, userId: string, former: string, now: number) {
  const event = { userId, at: now, kind: "email.changed", device: "", address: "" } as const;
  return [
    accountEventInsert(db, event, sql`changes() > 0`),
    db
      .update(emailChanges)
      .set({ expiresAt: new Date(now + EMAIL_UNDO_MS) })
      .where(and(eq(emailChanges.userId, userId), eq(emailChanges.former, former))),
  ] as const;
}

/**
 * A condition: another account may still bring an address back, or an account of the same mailbox was suspended.
 * @param exceptUserId "" for no account
 */
export async function isReserved(email: string, exceptUserId: string, now: number): Promise<SQL> {
  const mailboxHash = await hashToken(mailboxOf(email));
  return sql`(exists (select 1 from ${emailChanges} where ${emailChanges.former} = ${email}
      and ${emailChanges.expiresAt} > ${now} and ${emailChanges.userId} <> ${exceptUserId})
    or exists (select 1 from ${barredMailboxes} where ${barredMailboxes.mailboxHash} = ${mailboxHash}
      and ${barredMailboxes.userId} <> ${exceptUserId}))`;
}

/**
 * The statement that cancels a waiting change of address, but no proof of the present address, for the batch that locks
 * strangers out.
 */
export function dropPendingEmail(db: Database, userId: string, condition?: SQL) {
  const wasAsked = sql`exists (select 1 from ${emailChanges} where ${emailChanges.userId} = ${userId}
    and ${emailChanges.former} = ${users.email})`;
  return db
    .update(users)
    .set({ verificationToken: null, verificationTokenExpiry: null })
    .where(and(eq(users.id, userId), wasAsked, condition));
}

/**
 * The statement after which no earlier address of an account can be brought back, for the batch in which an
 * administrator sets the account's address.
 */
export function forgetEmailChanges(db: Database, userId: string, condition: SQL) {
  return db.delete(emailChanges).where(and(eq(emailChanges.userId, userId), condition));
}
