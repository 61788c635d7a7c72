import { lte, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { sessions, verifications } from "./schema.ts";

/** A living or ended session, and whose it is. */
export interface SessionRow {
  /** Epoch milliseconds. */
  expiresAt: number;
  userId: string;
  email: string;
  /** As SQLite keeps it: 0 or 1. */
  isVerified: number;
  planType: string;
}

/** Asked with nearly every request: in one round trip, and by hand (worker/db/raw.ts). */
const BY_TOKEN = `
  select sessions.expires_at as expiresAt, users.id as userId, users.email as email,
    users.is_verified as isVerified, users.plan_type as planType
  from sessions join users on users.id = sessions.user_id
  where sessions.token = ? limit 1`;

/** The session of that token, whether or not it has ended. */
export async function findSession(db: Database, token: string): Promise<SessionRow | null> {
  return db.$client.prepare(BY_TOKEN).bind(token).first<SessionRow>();
}

/** Removes users' sessions that ended at `now` (epoch milliseconds) or before, longest ago first. */
export async function deleteEndedSessions(db: Database, now: number, limit: number): Promise<void> {
  await dropEnded(db, sessions, now, limit);
}

/** Removes tokens, such as those to set a new password, that ended at `now` (epoch milliseconds) or before. */
export async function deleteEndedVerifications(db: Database, now: number, limit: number): Promise<void> {
  await dropEnded(db, verifications, now, limit);
}

async function dropEnded(
  db: Database,
  table: typeof sessions | typeof verifications,
  now: number,
  limit: number,
): Promise<void> {
  const ended = db
    .select({ id: table.id })
    .from(table)
    .where(lte(table.expiresAt, new Date(now)))
    .orderBy(table.expiresAt)
    .limit(limit);
  await db.delete(table).where(sql`${table.id} in ${ended}`);
}
