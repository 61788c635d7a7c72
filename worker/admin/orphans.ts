import type { AdminViewer, OrphanAlert } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { approveOrphans as approveOrphanRows, findStoppedOrphans } from "../db/orphans.ts";

/** What an administrator has to know of orphans. @param now epoch milliseconds @returns null where there is nothing */
export async function getOrphanAlert({ db }: Services, now: number): Promise<OrphanAlert | null> {
  const found = await findStoppedOrphans(db);
  if (!found) return null;
  return {
    orphans: found.count,
    bytes: found.sizeBytes,
    since: found.since.toISOString(),
    asOf: new Date(now).toISOString(),
  };
}

/**
 * Approves the deletion of the orphans that an administrator has seen: those first seen at `asOf` or before.
 * @param asOf epoch milliseconds; a later moment than now counts as now
 * @param now epoch milliseconds
 * @returns how many are approved by this
 */
export async function approveOrphans({ db }: Services, admin: AdminViewer, asOf: number, now: number): Promise<number> {
  const until = Math.min(asOf, now);
  const details = `first seen until ${new Date(until).toISOString()}`;
  return approveOrphanRows(db, until, { admin, action: "orphans.approve", target: "", details, at: now });
}
