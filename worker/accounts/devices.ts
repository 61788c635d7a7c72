import type { AccountEvent, ListedDevice } from "#domain/wire.ts";
import { listEvents } from "../db/account-events.ts";
import { deleteDevice, endAllSessions, listDevicesOf } from "../db/devices.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import type { CurrentSession } from "./session.ts";
import { type Visit, placeOf } from "./visit.ts";

const LISTED_EVENTS = 50;

/** Lists the account's devices: the current device first, then the last used. */
export async function listDevices({ db }: Services, { user, deviceId }: CurrentSession): Promise<ListedDevice[]> {
  const rows = await listDevicesOf(db, user.id);
  return rows
    .map((row) => ({
      id: row.id,
      userAgent: row.name,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      address: row.address,
      trustedUntil: row.trustedUntil?.toISOString() ?? null,
      isCurrent: row.id === deviceId,
    }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/**
 * Ends a device's sessions and forgets the device. The next sign-in in the same browser counts as one on a new device.
 * @throws AppError NOT_FOUND
 */
export async function removeDevice(
  { db }: Services,
  { user }: CurrentSession,
  id: string,
  visit: Visit,
  now: number,
): Promise<void> {
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "device.removed" } as const;
  if (!(await deleteDevice(db, user.id, id, event))) throw localizedError("NOT_FOUND", "deviceGone", {});
}

/**
 * Ends all sessions of the account, the present one included.
 * @param keysToo whether to revoke all API keys and switch all webhooks off
 */
export async function signOutEverywhere(
  { db }: Services,
  { user }: CurrentSession,
  keysToo: boolean,
  visit: Visit,
  now: number,
): Promise<void> {
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "sign-out-everywhere" } as const;
  await endAllSessions(db, user.id, event, keysToo);
}

/** The recent security events of the account, newest first. */
export async function listAccountEvents({ db }: Services, { user }: CurrentSession): Promise<AccountEvent[]> {
  const rows = await listEvents(db, user.id, LISTED_EVENTS);
  return rows.map(({ id, at, kind, device, address }) => ({
    id,
    at: at.toISOString(),
    kind,
    userAgent: device,
    address,
  }));
}
