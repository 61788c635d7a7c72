import { listLivingKeysOf } from "../db/api-keys.ts";
import type { Database } from "../db/client.ts";
import { logError } from "../log.ts";
import { passwordChangedMessage } from "../mail/messages/account.tsx";
import type { Outbox } from "../mail/outbox.ts";
import { notify } from "./notify.ts";

/**
 * Mails a person that their password was changed, and which API keys go on working. Only logs a failure: the password
 * is already saved. @param now epoch milliseconds
 */
export async function tellPasswordChanged(
  { db, outbox, origin }: { db: Database; outbox: Outbox; origin: string },
  person: { id: string; email: string },
  now: number,
): Promise<void> {
  await notify(outbox, passwordChangedMessage(person.email, await findKeys(db, person.id, now), origin));
}

/** @returns null when they cannot be read: the mail goes all the same */
async function findKeys(db: Database, userId: string, now: number) {
  try {
    return await listLivingKeysOf(db, userId, now);
  } catch (error) {
    logError("account.keys_not_listed", error);
    return null;
  }
}
