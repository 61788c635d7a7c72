import { isResourceMissing, openStripe } from "../billing/stripe.ts";
import { anySessionOf } from "../callers/sessions.ts";
import { listStripeCustomers } from "../db/billing.ts";
import { listStoredOf, listUploadingOf } from "../db/files.ts";
import { releaseFile } from "../db/uploads.ts";
import { listUsersInDeletion, removeUserRows } from "../db/users.ts";
import { deleteBytes, groupByObjects } from "../files/deletion.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

const FILES_PER_BATCH = 1000;
/**
 * The most batches of files that a run of the cron deletes of one account. `UPLOADS_PER_RUN` is the most uploads of one
 * account that a run cancels.
 */
const BATCHES_PER_RUN = 10;
const UPLOADS_PER_RUN = 100;
const ACCOUNTS_PER_RUN = 5;

/**
 * Deletes an account's rows after its Stripe customer and objects. Idempotent.
 * @returns whether everything of the account is deleted
 */
export async function removeAccount(services: Services, userId: string, now: number): Promise<boolean> {
  const { db } = services;
  const isCustomerDeleted = await deleteCustomer(services, userId).then(() => true, logDeferral(userId));
  try {
    for (const file of await listUploadingOf(db, userId, UPLOADS_PER_RUN)) {
      const cancelled = await anySessionOf(services, file).cancel();
      if (!cancelled.ok && cancelled.code === "NO_UPLOAD") await releaseFile(db, file.id, "cancelled", "CANCELLED");
    }
    for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
      const [files] = groupByObjects(await listStoredOf(db, userId, FILES_PER_BATCH));
      if (!files) return isCustomerDeleted && (await removeUserRows(db, userId));
      await deleteBytes(services, files, now);
    }
    return false;
  } catch (error) {
    return logDeferral(userId)(error);
  }
}

function logDeferral(userId: string) {
  return (error: unknown): false => {
    logError("account.removal_deferred", error, { userId });
    return false;
  };
}

/** @returns the number of accounts that are now gone */
export async function removeDeletedAccounts(services: Services, now: number): Promise<number> {
  const ids = await listUsersInDeletion(services.db, ACCOUNTS_PER_RUN);
  const removed = await Promise.all(ids.map((id) => removeAccount(services, id, now)));
  return removed.filter(Boolean).length;
}

/**
 * Deletes the Stripe customer, which makes Stripe cancel the customer's subscriptions. Idempotent.
 * @throws Error if a call fails
 */
async function deleteCustomer({ db, settings }: Services, userId: string): Promise<void> {
  const customers = await listStripeCustomers(db, userId);
  if (customers.length === 0) return;
  if (settings.billing.mode !== "stripe") {
    logError("billing.customer_left_at_stripe", "no Stripe key is configured", { userId, customers });
    return;
  }
  const stripe = await openStripe(settings.billing);
  await Promise.all(
    customers.map(async (customer) => {
      try {
        await stripe.customers.del(customer);
      } catch (error) {
        if (!isResourceMissing(error)) throw error;
      }
    }),
  );
}
