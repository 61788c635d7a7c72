import { and, desc, eq, sql } from "drizzle-orm";
import { accountEventInsert, type NewEvent } from "./account-events.ts";
import { keysRevocation } from "./api-keys.ts";
import type { Database } from "./client.ts";
import { approvedCodesRemoval } from "./device-codes.ts";
import { dropPendingEmail } from "./email-changes.ts";
import { adminSessions, devices, sessions, challenges } from "./schema.ts";
import { waitingOf } from "./waiting-sign-ins.ts";
import { raiseAccessRevision } from "./ways-in.ts";
import { webhooksOff } from "./webhooks.ts";

export type DeviceRow = typeof devices.$inferSelect;

/** Lists a person's devices, the last used first. */
export async function listDevicesOf(db: Database, userId: string): Promise<DeviceRow[]> {
  return db
    .select()
    .from(devices)
    .where(eq(devices.userId, userId))
    .orderBy(desc(devices.lastSeenAt), desc(sql`${devices}.rowid`));
}

/** Deletes a device and ends the device's sessions. @returns false when the person has no such device */
export async function deleteDevice(db: Database, userId: string, id: string, event: NewEvent): Promise<boolean> {
  const own = and(eq(devices.id, id), eq(devices.userId, userId));
  const [removed] = await db.batch([
    db.delete(devices).where(own),
    accountEventInsert(db, event, sql`changes() > 0`),
    raiseAccessRevision(db, sql`${userId}`, sql`changes() > 0`),
    db.delete(sessions).where(and(eq(sessions.deviceId, id), eq(sessions.userId, userId))),
  ]);
  return removed.meta.changes === 1;
}

/**
 * Ends an account's sessions, admin sessions, waiting second-factor sign-ins, and the trust in devices. Drops an
 * address that waits to be confirmed.
 * @param keysToo whether to revoke all API keys and switch all webhooks off, too
 */
export async function endAllSessions(db: Database, userId: string, event: NewEvent, keysToo: boolean): Promise<void> {
  await db.batch([
    db.delete(sessions).where(eq(sessions.userId, userId)),
    db.delete(adminSessions).where(eq(adminSessions.userId, userId)),
    db.delete(challenges).where(waitingOf(sql`${userId}`)),
    db.update(devices).set({ trustedUntil: null }).where(eq(devices.userId, userId)),
    dropPendingEmail(db, userId),
    raiseAccessRevision(db, sql`${userId}`),
    accountEventInsert(db, event),
    ...(keysToo
      ? [
          keysRevocation(db, userId, event.at),
          approvedCodesRemoval(db, userId),
          ...webhooksOff(db, userId, event.at, sql`true`),
        ]
      : []),
  ]);
}
