import { and, eq, gt, lt, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { MAIL_CODE_TRIES } from "#domain/sign-in.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { challenges } from "./schema.ts";

/** `mail-link`: signs in by a link or a code. `mail-confirm`: confirms a session by a code. */
export type MailChallengeKind = "mail-link" | "mail-confirm";

/** The stored data of a mailed link or code. All values except the address are SHA-256 in hex. */
const mailStepData = z.object({
  email: z.string(),
  /** The token of the mailed link; "" for a mail without a link. */
  token: z.string(),
  browser: z.string(),
  code: z.string(),
});
export type MailChallengeData = z.infer<typeof mailStepData>;

export interface MailChallenge {
  /** The row's key. Each subject has one row, so that only the newest mail works. */
  key: string;
  kind: MailChallengeKind;
  userId: string | null;
  data: MailChallengeData;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Saves a challenge and its mail in one transaction. Replaces an earlier challenge with the same key. */
export async function putMailChallenge(
  db: Database,
  { key, kind, userId, data, expiresAt }: MailChallenge,
  mail: DueMail,
  now: number,
): Promise<void> {
  const row = { kind, userId, data: JSON.stringify(data), attempts: 0, expiresAt: new Date(expiresAt) };
  await db.batch([
    db
      .insert(challenges)
      .values({ tokenHash: key, ...row })
      .onConflictDoUpdate({ target: challenges.tokenHash, set: row }),
    outboxInsert(db, mail, sql`true`, now),
  ]);
}

/** @returns null when the challenge does not exist or has expired */
export async function findMailChallenge(
  db: Database,
  key: string,
  kind: MailChallengeKind,
  now: number,
): Promise<MailChallengeData | null> {
  const [row] = await db
    .select({ data: challenges.data })
    .from(challenges)
    .where(isLiving(key, kind, now))
    .limit(1);
  return row ? mailStepData.parse(JSON.parse(row.data)) : null;
}

/**
 * Counts a try of a mailed code, right or wrong.
 * @returns null for a browser that did not ask for the mail, after the last try, or once the challenge has expired
 */
export async function tryMailChallenge(
  db: Database,
  key: string,
  kind: MailChallengeKind,
  browserHash: string,
  now: number,
): Promise<MailChallengeData | null> {
  const isAsker = sql`json_extract(${challenges.data}, '$.browser') = ${browserHash}`;
  const [row] = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(and(isLiving(key, kind, now), lt(challenges.attempts, MAIL_CODE_TRIES), isAsker))
    .returning({ data: challenges.data });
  return row ? mailStepData.parse(JSON.parse(row.data)) : null;
}

/**
 * Uses a challenge up.
 * @param secret the digest of the code that the challenge must have
 * @returns whether this call used it up
 */
export async function spendMailChallenge(
  db: Database,
  key: string,
  kind: MailChallengeKind,
  secret: Pick<MailChallengeData, "code">,
  now: number,
): Promise<boolean> {
  const isSame = sql`json_extract(${challenges.data}, '$.code') = ${secret.code}`;
  const used = await db
    .delete(challenges)
    .where(and(isLiving(key, kind, now), isSame))
    .returning({ key: challenges.tokenHash });
  return used.length === 1;
}

function isLiving(key: string, kind: MailChallengeKind, now: number) {
  return and(eq(challenges.tokenHash, key), eq(challenges.kind, kind), gt(challenges.expiresAt, new Date(now)));
}
