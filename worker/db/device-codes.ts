import { and, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import { keyInserts, mayHaveAnother, type NewApiKey } from "./api-keys.ts";
import type { Database } from "./client.ts";
import type { DueMail } from "./mail.ts";
import { deviceCodes, users } from "./schema.ts";

type DeviceCodeRow = typeof deviceCodes.$inferSelect;
export type NewDeviceCode = Omit<DeviceCodeRow, "state" | "userId">;

export async function insertDeviceCode(db: Database, row: NewDeviceCode): Promise<void> {
  await db.insert(deviceCodes).values(row);
}

/** Finds a device code, even an expired or used one. @param userHash SHA-256 in hex of the code that a person types */
export async function findDeviceCode(db: Database, userHash: string): Promise<DeviceCodeRow | null> {
  const [row] = await db.select().from(deviceCodes).where(eq(deviceCodes.userHash, userHash));
  return row ?? null;
}

/**
 * A condition in statements on `device_codes`: nobody has approved or refused the code, and the code has not expired.
 */
function waits(userHash: string, now: number) {
  return and(
    eq(deviceCodes.userHash, userHash),
    eq(deviceCodes.state, "waiting"),
    gt(deviceCodes.expiresAt, new Date(now)),
  );
}

/**
 * Approves a program for a person. Of concurrent calls, the first one approves the program.
 * @param now epoch milliseconds
 * @returns false when the code no longer waits for a decision, or the person has `maxLiving` keys or is being deleted
 */
export async function approveDeviceCode(
  db: Database,
  userHash: string,
  userId: string,
  maxLiving: number,
  now: number,
): Promise<boolean> {
  const mayApprove = sql`exists (
    select 1 from ${users} where ${users.id} = ${userId} and ${mayHaveAnother(db, userId, maxLiving, now)})`;
  const { meta } = await db
    .update(deviceCodes)
    .set({ state: "approved", userId })
    .where(and(waits(userHash, now), mayApprove));
  return meta.changes === 1;
}

/** Refuses a program. @returns false when the code no longer waits for a decision */
export async function refuseDeviceCode(db: Database, userHash: string, now: number): Promise<boolean> {
  const { meta } = await db.update(deviceCodes).set({ state: "refused" }).where(waits(userHash, now));
  return meta.changes === 1;
}

export interface PolledDevice {
  state: DeviceCodeRow["state"];
  name: string;
  /** The person who approved the program; null until somebody has approved the program. */
  user: { id: string; email: string; planType: string } | null;
  /** Whether the program waited as long as it had to before this poll. */
  isInTime: boolean;
}

/**
 * Reads the state of a device code. If a program polls several times at once, only one poll is in time.
 * @param deviceHash SHA-256 in hex of the program's code @param nextPollAt the next allowed poll, epoch milliseconds
 * @returns null for a code that has expired, was used, or never existed
 */
export async function pollDeviceCode(
  db: Database,
  deviceHash: string,
  { now, nextPollAt }: { now: number; nextPollAt: number },
): Promise<PolledDevice | null> {
  const lives = and(eq(deviceCodes.deviceHash, deviceHash), gt(deviceCodes.expiresAt, new Date(now)));
  const [[row], polled] = await db.batch([
    db
      .select({
        state: deviceCodes.state,
        name: deviceCodes.name,
        user: { id: users.id, email: users.email, planType: users.planType },
      })
      .from(deviceCodes)
      .leftJoin(users, eq(users.id, deviceCodes.userId))
      .where(lives),
    db
      .update(deviceCodes)
      .set({ nextPollAt: new Date(nextPollAt) })
      .where(and(lives, lte(deviceCodes.nextPollAt, new Date(now)))),
  ]);
  return row ? { ...row, isInTime: polled.meta.changes === 1 } : null;
}

/**
 * Uses a device code up, and inserts the program's API key and the mail about the key, in one transaction.
 * @param now epoch milliseconds
 * @returns "full" when the person has `maxLiving` keys, "gone" when the code was used already
 */
export async function redeemDeviceCode(
  db: Database,
  deviceHash: string,
  key: NewApiKey,
  maxLiving: number,
  mail: DueMail,
  now: number,
): Promise<"made" | "full" | "gone"> {
  const approved = and(
    eq(deviceCodes.deviceHash, deviceHash),
    eq(deviceCodes.state, "approved"),
    eq(deviceCodes.userId, key.userId),
    gt(deviceCodes.expiresAt, new Date(now)),
  );
  const isApproved = sql`exists (select 1 from ${deviceCodes} where ${approved})`;
  const [inserted, , used] = await db.batch([
    ...keyInserts(db, key, maxLiving, mail, now, isApproved),
    db.delete(deviceCodes).where(approved).returning({ name: deviceCodes.name }),
  ]);
  if (inserted.meta.changes === 1) return "made";
  return used.length === 1 ? "full" : "gone";
}

/**
 * The statement by which an approved program that has no key yet gets none, for the batch that ends an account's ways
 * in.
 */
export function approvedCodesRemoval(db: Database, userId: string, condition?: SQL) {
  return db.delete(deviceCodes).where(and(eq(deviceCodes.userId, userId), condition));
}
