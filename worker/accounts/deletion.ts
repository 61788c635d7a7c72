import { deleteCustomer } from "../billing/delete-customer.ts";
import type { Services } from "../services.ts";
import { listObjectsOf, markObjectsDeleted } from "../db/files.ts";
import { listUnfinishedFiles, releaseFile } from "../db/uploads.ts";
import { listUsersInDeletion, removeUserRows } from "../db/users.ts";
import { logError } from "../log.ts";
import { deleteObjects } from "../storage/objects.ts";
import { sessionOf } from "../uploads/sessions.ts";

/** R2 deletes at most this many objects a call (R2 platform limit). */
const BATCH = 1000;
/**
 * An invocation makes 1,000 calls (Workers platform limit), which the cron's other chores share: a run takes so much of
 * an account, and so many accounts.
 */
const BATCHES_A_RUN = 10;
const USERS_BATCH = 5;

/**
 * Removes what is left of an account whose deletion has begun: what is paid for, unfinished uploads, objects, then rows.
 * May stop anywhere and be run again; rows go only once no object is left and nobody is charged any more.
 * @param now epoch milliseconds
 * @returns whether everything is gone
 */
export async function removeAccount(services: Services, userId: string, now: number): Promise<boolean> {
  const { db, bucket } = services;
  const billed = await deleteCustomer(services, userId).catch(deferred(userId));
  try {
    for (const { id } of await listUnfinishedFiles(db, userId)) {
      const cancelled = await sessionOf(services, id).cancel();
      if (!cancelled.ok && cancelled.code === "NO_UPLOAD") await releaseFile(db, id, "cancelled", "CANCELLED");
    }
    for (let batch = 0; batch < BATCHES_A_RUN; batch += 1) {
      const objects = await listObjectsOf(db, userId, BATCH);
      if (objects.length === 0) return billed !== false && (await removeUserRows(db, userId));
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
    return false;
  } catch (error) {
    return deferred(userId)(error);
  }
}

function deferred(userId: string) {
  return (error: unknown): false => {
    logError("account.removal_deferred", error, { userId });
    return false;
  };
}

/** For the cron: goes on with every account whose deletion has begun. @returns how many are gone now */
export async function removeDeletedAccounts(services: Services, now: number): Promise<number> {
  const ids = await listUsersInDeletion(services.db, USERS_BATCH);
  const removed = await Promise.all(ids.map((id) => removeAccount(services, id, now)));
  return removed.filter(Boolean).length;
}
