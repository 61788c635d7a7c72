import { listLivingKeysOf } from "../db/api-keys.ts";
import { listPasskeysOf } from "../db/passkeys.ts";
import { listConnected } from "../db/provider-accounts.ts";
import { logError } from "../log.ts";
import { passwordChangedMessage, type WaysLeft } from "../mail/messages/account.tsx";
import type { Services } from "../services.ts";
import { notify } from "./notify.ts";
import { securityUrl } from "./second-factors.ts";

/**
 * Mails a person that their password was changed, and which API keys, passkeys and providers go on working. Only logs a
 * failure: the password is already saved. @param now epoch milliseconds
 */
export async function tellPasswordChanged(
  services: Services,
  person: { id: string; email: string },
  now: number,
): Promise<void> {
  const left = await findWaysLeft(services, person.id, now);
  await notify(services.outbox, passwordChangedMessage(person.email, left, securityUrl(services)));
}

/** @returns null when they cannot be read: the mail goes all the same */
async function findWaysLeft({ db, settings }: Services, userId: string, now: number): Promise<WaysLeft | null> {
  try {
    const [keys, passkeys, { connected }] = await Promise.all([
      listLivingKeysOf(db, userId, now),
      listPasskeysOf(db, userId),
      listConnected(db, userId),
    ]);
    const providers = settings.providers.filter(({ name }) => connected.has(name));
    return { keys, passkeys: passkeys.map(({ name }) => name), providers: providers.map(({ label }) => label) };
  } catch (error) {
    logError("account.ways_not_listed", error);
    return null;
  }
}
