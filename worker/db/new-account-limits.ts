import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import { NEW_ACCOUNT_MS, REPORTED_ACCOUNT_MS } from "#domain/moderation/trust.ts";
import { DAY_MS } from "#domain/units.ts";
import type { Settings } from "../settings.ts";
import type { Database } from "./client.ts";
import { cases, files, newAccountDays, recipients, users } from "./schema.ts";

type Verification = Pick<Settings, "emailVerification">;

/** A condition on a row of `users`: the account has not earned trust yet (decision 059). */
function isNew({ emailVerification }: Verification, now: number): SQL {
  const isReported = sql`exists (select 1 from ${cases} where ${cases.userId} = ${users.id}
    and ${cases.kind} = 'report' and ${cases.closedAt} is null)`;
  const isUnverified = emailVerification === "required" ? sql`${users.isVerified} = 0` : sql`false`;
  return sql`(${users.trustedAt} is null and (${users.createdAt} > ${now - NEW_ACCOUNT_MS}
    or (${users.createdAt} > ${now - REPORTED_ACCOUNT_MS} and (${isUnverified} or ${isReported}))))`;
}

/** @param now epoch milliseconds */
export async function isNewAccount(db: Database, userId: string, by: Verification, now: number): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNew(by, now)));
  return rows.length > 0;
}

/** A link of a new account, and how often all links of the account were downloaded on this UTC day. */
export interface DayOfNewAccount {
  fileId: string;
  userId: string;
  count: number;
}

/**
 * Reads the downloads of this UTC day for those of the files whose accounts are new.
 * @param fileIds files whose downloads were just counted @param now epoch milliseconds
 */
export async function findDaysOfNewAccounts(
  db: Database,
  fileIds: readonly string[],
  by: Verification,
  now: number,
): Promise<DayOfNewAccount[]> {
  return db
    .select({ fileId: files.id, userId: users.id, count: newAccountDays.downloads })
    .from(files)
    .innerJoin(users, eq(users.id, files.userId))
    .innerJoin(
      newAccountDays,
      and(eq(newAccountDays.userId, users.id), eq(newAccountDays.day, new Date(now - (now % DAY_MS)))),
    )
    .where(and(sql`${files.id} in (select value from json_each(${JSON.stringify(fileIds)}))`, isNew(by, now)));
}

/** How many mails with links an account has sent to recipients within a day. @param now epoch milliseconds */
export async function countRecentRecipients(db: Database, userId: string, now: number): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(files)
    .innerJoin(recipients, eq(recipients.transferId, files.id))
    .where(and(eq(files.userId, userId), gt(recipients.sentAt, new Date(now - DAY_MS))));
  return row?.count ?? 0;
}
