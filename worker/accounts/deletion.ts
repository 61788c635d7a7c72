import { endBilling } from "../billing/departure.ts";
import type { Services } from "../context.ts";
import { listObjectsOf, markObjectsDeleted } from "../db/files.ts";
import { listUnfinishedFiles, releaseFile } from "../db/uploads.ts";
import { listUsersInDeletion, removeUserRows } from "../db/users.ts";
import { logFault } from "../log.ts";
import { deleteObjects } from "../storage/objects.ts";
import { sessionOf } from "../uploads/sessions.ts";

const BATCH = 500;
const USERS_BATCH = 20;

/**
 * Removes what is left of an account whose deletion has begun: what is paid for, unfinished uploads, objects, then rows.
 * May stop anywhere and be run again; rows go only once no object is left and nobody is charged any more.
 * @param now epoch milliseconds
 * @returns whether everything is gone
 */
export async function removeAccount(services: Services, userId: string, now: number): Promise<boolean> {
  const { db, bucket } = services;
  const billed = await endBilling(services, userId).catch(deferred(userId));
  try {
    for (const { id } of await listUnfinishedFiles(db, userId)) {
      const cancelled = await sessionOf(services, id).cancel();
      if (!cancelled.ok && cancelled.code === "NO_UPLOAD") await releaseFile(db, id, "cancelled", "CANCELLED");
    }
    for (;;) {
      const objects = await listObjectsOf(db, userId, BATCH);
      if (objects.length === 0) break;
      await deleteObjects(
        bucket,
        objects.map(({ s3Key }) => s3Key),
      );
      await markObjectsDeleted(
        db,
        objects.map(({ id }) => id),
        now,
      );
    }
    return billed !== false && (await removeUserRows(db, userId));
  } catch (error) {
    return deferred(userId)(error);
  }
}

function deferred(userId: string) {
  return (error: unknown): false => {
    logFault("account.removal_deferred", error, { userId });
    return false;
  };
}

/** For the cron: goes on with every account whose deletion has begun. @returns how many are gone now */
export async function removeDeletedAccounts(services: Services, now: number): Promise<number> {
  const ids = await listUsersInDeletion(services.db, USERS_BATCH);
  const removed = await Promise.all(ids.map((id) => removeAccount(services, id, now)));
  return removed.filter(Boolean).length;
}
