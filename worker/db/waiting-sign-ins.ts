import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { steps } from "./schema.ts";

/** A sign-in that waits for a second factor. */
interface WaitingSignIn {
  userId: string;
  /** JSON. */
  data: string;
}

const isWaiting = (tokenHash: string, now: number) =>
  and(eq(steps.tokenHash, tokenHash), eq(steps.kind, "second-factor"), gt(steps.expiresAt, new Date(now)));

/** @param now epoch milliseconds @returns whose it is; null when it is unknown or has run out */
export async function findWaitingUser(db: Database, tokenHash: string, now: number): Promise<string | null> {
  const [row] = await db.select({ userId: steps.userId }).from(steps).where(isWaiting(tokenHash, now)).limit(1);
  return row?.userId ?? null;
}

/** Counts a try before its answer is checked, so that many at once cannot be more. @returns false when none is left */
export async function takeTry(db: Database, tokenHash: string, tries: number, now: number): Promise<boolean> {
  const { meta } = await db
    .update(steps)
    .set({ attempts: sql`${steps.attempts} + 1` })
    .where(and(isWaiting(tokenHash, now), lt(steps.attempts, tries)));
  return meta.changes === 1;
}

/** Uses it up. @returns null when another call did, or it has run out */
export async function endWaiting(db: Database, tokenHash: string, now: number): Promise<WaitingSignIn | null> {
  const [row] = await db
    .delete(steps)
    .where(isWaiting(tokenHash, now))
    .returning({ userId: steps.userId, data: steps.data });
  return row && row.userId !== null ? { userId: row.userId, data: row.data } : null;
}
