import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { Database } from "./client.ts";
import { sessions } from "./schema.ts";

export interface SessionRow {
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  /**
   * When the person last proved their identity, in epoch milliseconds. Null for a session that began unconfirmed, and
   * for sessions older than the column.
   */
  confirmedAt: number | null;
  /** The browser's row in `devices`. Null for sessions older than the column. */
  deviceId: string | null;
  userId: string;
  email: string;
  /** 0 or 1. */
  isVerified: number;
  planType: string;
  /** The language of the person's last request. Null while the language is unknown. */
  locale: string | null;
}

/** The SQL is handwritten, because the query runs with nearly every request (see worker/db/client.ts). */
const BY_TOKEN = `
  select sessions.id as id, sessions.expires_at as expiresAt, sessions.confirmed_at as confirmedAt,
    sessions.device_id as deviceId, users.id as userId, users.email as email, users.is_verified as isVerified,
    users.plan_type as planType, users.locale as locale
  from sessions join users on users.id = sessions.user_id
  where sessions.token = ? and sessions.expires_at > ? limit 1`;

/** @param now epoch milliseconds @returns null for a session that has ended */
export async function findSession(db: Database, token: string, now: number): Promise<SessionRow | null> {
  return db.$client.prepare(BY_TOKEN).bind(token, now).first<SessionRow>();
}

/** Lists a person's sessions, newest first. @param now epoch milliseconds */
export async function listSessionsOf(db: Database, userId: string, now: number) {
  const { id, createdAt, ipAddress, userAgent, deviceId } = sessions;
  return db
    .select({ id, createdAt, ipAddress, userAgent, deviceId })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date(now))))
    .orderBy(desc(createdAt));
}

/** @param expiresAt, now epoch milliseconds */
export async function renewSession(db: Database, id: string, expiresAt: number, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ expiresAt: new Date(expiresAt), updatedAt: new Date(now) })
    .where(eq(sessions.id, id));
}

/** @returns false when the person has no such session */
export async function deleteSession(db: Database, userId: string, id: string): Promise<boolean> {
  const ended = await db.delete(sessions).where(and(eq(sessions.id, id), eq(sessions.userId, userId)));
  return ended.meta.changes === 1;
}

/** Ends all sessions of a person but one. */
export async function deleteOtherSessions(db: Database, userId: string, keptId: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)));
}

/** Notes that the person has just proved their identity. @param now epoch milliseconds */
export async function confirmSession(db: Database, id: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ confirmedAt: new Date(now) })
    .where(eq(sessions.id, id));
}

const STANDING = "select id from sessions where id in (select value from json_each(?)) and expires_at > ?";

/** @param now epoch milliseconds @returns the ids of the sessions that have not ended */
export async function findStandingSessions(db: Database, ids: string[], now: number): Promise<Set<string>> {
  const { results } = await db.$client.prepare(STANDING).bind(JSON.stringify(ids), now).all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}
