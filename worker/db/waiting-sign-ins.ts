import { and, eq, gt, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { challenges } from "./schema.ts";

/** `second-factor`: a sign-in to the account. `admin-second-factor`: a sign-in to the back office. */
const WAITING_KINDS = ["second-factor", "admin-second-factor"] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

export interface WaitingSignIn {
  /** Null for the administrator in the settings, who has no account. */
  userId: string | null;
  /** The sign-in's data as JSON, whose shape depends on the kind. */
  data: string;
}

const isWaiting = (kind: WaitingKind, tokenHash: string, now: number) =>
  and(eq(challenges.tokenHash, tokenHash), eq(challenges.kind, kind), gt(challenges.expiresAt, new Date(now)));
const columns = { userId: challenges.userId, data: challenges.data };

/** @param now epoch milliseconds @returns null when the sign-in is unknown or has expired */
export async function findWaitingSignIn(
  db: Database,
  kind: WaitingKind,
  tokenHash: string,
  now: number,
): Promise<WaitingSignIn | null> {
  const [row] = await db
    .select(columns)
    .from(challenges)
    .where(isWaiting(kind, tokenHash, now))
    .limit(1);
  return row ?? null;
}

/**
 * Counts a try before the code or passkey is checked, so that parallel tries cannot exceed `tries`.
 * @returns false when no try is left
 */
export async function takeTry(
  db: Database,
  kind: WaitingKind,
  tokenHash: string,
  tries: number,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .update(challenges)
    .set({ attempts: sql`${challenges.attempts} + 1` })
    .where(and(isWaiting(kind, tokenHash, now), lt(challenges.attempts, tries)));
  return meta.changes === 1;
}

/** Uses a waiting sign-in up. @returns null when another call has used the sign-in up, or it has expired */
export async function endWaiting(
  db: Database,
  kind: WaitingKind,
  tokenHash: string,
  now: number,
): Promise<WaitingSignIn | null> {
  const [row] = await db
    .delete(challenges)
    .where(isWaiting(kind, tokenHash, now))
    .returning(columns);
  return row ?? null;
}

/** The condition for an account's sign-ins that wait for a second factor, in a statement that ends them. */
export function waitingOf(userId: SQL): SQL | undefined {
  return and(sql`${challenges.userId} = ${userId}`, inArray(challenges.kind, [...WAITING_KINDS]));
}
