import { and, eq, gt, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { steps } from "./schema.ts";

/** `second-factor`: to the account. `admin-second-factor`: to the back office. */
const WAITING_KINDS = ["second-factor", "admin-second-factor"] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** A sign-in that waits for a second factor. */
export interface WaitingSignIn {
  /** Null for the administrator of the settings, who has no account. */
  userId: string | null;
  /** JSON, by kind. */
  data: string;
}

const isWaiting = (kind: WaitingKind, tokenHash: string, now: number) =>
  and(eq(steps.tokenHash, tokenHash), eq(steps.kind, kind), gt(steps.expiresAt, new Date(now)));
const columns = { userId: steps.userId, data: steps.data };

/** @param now epoch milliseconds @returns null when it is unknown or has run out */
export async function findWaitingSignIn(
  db: Database,
  kind: WaitingKind,
  tokenHash: string,
  now: number,
): Promise<WaitingSignIn | null> {
  const [row] = await db
    .select(columns)
    .from(steps)
    .where(isWaiting(kind, tokenHash, now))
    .limit(1);
  return row ?? null;
}

/**
 * Counts a try before its answer is checked, so that many at once are no more tries.
 * @returns false when none is left
 */
export async function takeTry(
  db: Database,
  kind: WaitingKind,
  tokenHash: string,
  tries: number,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .update(steps)
    .set({ attempts: sql`${steps.attempts} + 1` })
    .where(and(isWaiting(kind, tokenHash, now), lt(steps.attempts, tries)));
  return meta.changes === 1;
}

/** Uses it up. @returns null when another call did, or it has run out */
export async function endWaiting(
  db: Database,
  kind: WaitingKind,
  tokenHash: string,
  now: number,
): Promise<WaitingSignIn | null> {
  const [row] = await db
    .delete(steps)
    .where(isWaiting(kind, tokenHash, now))
    .returning(columns);
  return row ?? null;
}

/** The sign-ins of an account that wait, for a statement that ends them. */
export function waitingOf(userId: SQL): SQL | undefined {
  return and(sql`${steps.userId} = ${userId}`, inArray(steps.kind, [...WAITING_KINDS]));
}
