import { lte, sql } from "drizzle-orm";
import type { Database } from "./client.ts";
import { sessions, verifications } from "./schema.ts";

export interface SessionRow {
  /** Epoch milliseconds. */
  expiresAt: number;
  userId: string;
  email: string;
  /** 0 or 1. */
  isVerified: number;
  planType: string;
}

/** Runs with nearly every request, so it is written by hand (see worker/db/raw.ts). */
const BY_TOKEN = `
  select sessions.expires_at as expiresAt, users.id as userId, users.email as email,
    users.is_verified as isVerified, users.plan_type as planType
  from sessions join users on users.id = sessions.user_id
  where sessions.token = ? limit 1`;

/** Also finds an expired session. */
export async function findSession(db: Database, token: string): Promise<SessionRow | null> {
  return db.$client.prepare(BY_TOKEN).bind(token).first<SessionRow>();
}

export async function deleteExpiredSessions(db: Database, now: number, limit: number): Promise<void> {
  await deleteExpired(db, sessions, now, limit);
}

export async function deleteExpiredVerifications(db: Database, now: number, limit: number): Promise<void> {
  await deleteExpired(db, verifications, now, limit);
}

async function deleteExpired(
  db: Database,
  table: typeof sessions | typeof verifications,
  now: number,
  limit: number,
): Promise<void> {
  const expired = db
    .select({ id: table.id })
    .from(table)
    .where(lte(table.expiresAt, new Date(now)))
    .orderBy(table.expiresAt)
    .limit(limit);
  await db.delete(table).where(sql`${table.id} in ${expired}`);
}
