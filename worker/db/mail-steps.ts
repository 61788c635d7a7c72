import { and, eq, gt, lt, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { MAIL_CODE_TRIES } from "#domain/sign-in.ts";
import type { Database } from "./client.ts";
import { outboxInsert, type DueMail } from "./mail.ts";
import { steps } from "./schema.ts";

/** `mail-link`: signs in by a link or a code. `mail-confirm`: confirms a session by a code. */
export type MailStepKind = "mail-link" | "mail-confirm";

/** What is kept of a mailed link. All but the address are SHA-256 in hex. */
const mailStepData = z.object({
  email: z.string(),
  /** The token of the mailed link; "" where the mail has no link. */
  token: z.string(),
  browser: z.string(),
  code: z.string(),
});
export type MailStepData = z.infer<typeof mailStepData>;

export interface MailStep {
  /** The row's key. One subject has one row, so that only the newest mail works. */
  key: string;
  kind: MailStepKind;
  userId: string | null;
  data: MailStepData;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Takes the place of an earlier one with the same key. Saves the mail in the same transaction. */
export async function putMailStep(
  db: Database,
  { key, kind, userId, data, expiresAt }: MailStep,
  mail: DueMail,
  now: number,
): Promise<void> {
  const row = { kind, userId, data: JSON.stringify(data), attempts: 0, expiresAt: new Date(expiresAt) };
  await db.batch([
    db
      .insert(steps)
      .values({ tokenHash: key, ...row })
      .onConflictDoUpdate({ target: steps.tokenHash, set: row }),
    outboxInsert(db, mail, sql`true`, now),
  ]);
}

/** @returns null when there is none, or it has run out */
export async function findMailStep(
  db: Database,
  key: string,
  kind: MailStepKind,
  now: number,
): Promise<MailStepData | null> {
  const [row] = await db
    .select({ data: steps.data })
    .from(steps)
    .where(isLiving(key, kind, now))
    .limit(1);
  return row ? mailStepData.parse(JSON.parse(row.data)) : null;
}

/** Counts a try, right or wrong, by the browser that asked. @returns null when that may not try, or no longer */
export async function tryMailStep(
  db: Database,
  key: string,
  kind: MailStepKind,
  browserHash: string,
  now: number,
): Promise<MailStepData | null> {
  const isAsker = sql`json_extract(${steps.data}, '$.browser') = ${browserHash}`;
  const [row] = await db
    .update(steps)
    .set({ attempts: sql`${steps.attempts} + 1` })
    .where(and(isLiving(key, kind, now), lt(steps.attempts, MAIL_CODE_TRIES), isAsker))
    .returning({ data: steps.data });
  return row ? mailStepData.parse(JSON.parse(row.data)) : null;
}

/** @param secret the digest by which it was found @returns whether this call used it up: it works once */
export async function spendMailStep(
  db: Database,
  key: string,
  kind: MailStepKind,
  secret: Pick<MailStepData, "code">,
  now: number,
): Promise<boolean> {
  const isSame = sql`json_extract(${steps.data}, '$.code') = ${secret.code}`;
  const used = await db
    .delete(steps)
    .where(and(isLiving(key, kind, now), isSame))
    .returning({ key: steps.tokenHash });
  return used.length === 1;
}

function isLiving(key: string, kind: MailStepKind, now: number) {
  return and(eq(steps.tokenHash, key), eq(steps.kind, kind), gt(steps.expiresAt, new Date(now)));
}
