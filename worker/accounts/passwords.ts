import { listLivingKeysOf } from "../db/api-keys.ts";
import { listPasskeysOf } from "../db/passkeys.ts";
import { listConnected } from "../db/provider-accounts.ts";
import { listWebhooksOf } from "../db/webhooks.ts";
import { logError } from "../log.ts";
import { passwordChangedMessage, type MailedWays } from "../mail/messages/account.tsx";
import { notify } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { securityUrl } from "./second-factors.ts";

/**
 * Checks a password. Takes equally long for an account that is unknown or has no password, so that the duration tells
 * nothing.
 * @param hash null when there is no password
 * @returns whether the password is right
 */
export async function checkPassword(
  { auth }: Pick<Services, "auth">,
  hash: string | null,
  password: string,
): Promise<boolean> {
  const { password: passwords } = await auth.$context;
  if (hash !== null) return passwords.verify({ hash, password });
  await passwords.hash(password);
  return false;
}

/**
 * Mails a person that their password was changed, which ways in have ended, and which ways in still work. If the mail
 * fails, only logs the error, because the password is already saved.
 * @param before the answer of `listWays` before the change
 * @param now epoch milliseconds
 * @param isClaimed whether the change has proved the address, so that all other ways in have ended
 */
export async function tellPasswordChanged(
  services: Services,
  person: { id: string; email: string },
  { before, isClaimed }: { before: MailedWays | null; isClaimed: boolean },
  now: number,
): Promise<void> {
  const left = await listWays(services, person.id, now);
  const ways = before && left && { left, ended: withoutWays(before, left), isClaimed };
  await notify(services.outbox, passwordChangedMessage(person.email, ways, securityUrl(services)));
}

/**
 * Lists an account's keys, passkeys, providers and active webhooks.
 * @param now epoch milliseconds
 * @returns null when the ways in cannot be read, because a password change must not fail for its mail
 */
export async function listWays({ db, settings }: Services, userId: string, now: number): Promise<MailedWays | null> {
  try {
    const [keys, passkeys, { connected }, webhooks] = await Promise.all([
      listLivingKeysOf(db, userId, now),
      listPasskeysOf(db, userId),
      listConnected(db, userId),
      listWebhooksOf(db, userId),
    ]);
    return {
      keys,
      passkeys: passkeys.map(({ id, name }) => ({ id, name })),
      providers: settings.providers.flatMap(({ name, label }) => (connected.has(name) ? [{ id: name, label }] : [])),
      webhooks: webhooks.flatMap(({ id, url, disabledAt }) => (disabledAt === null ? [{ id, url }] : [])),
    };
  } catch (error) {
    logError("account.ways_not_listed", error);
    return null;
  }
}

function withoutWays(all: MailedWays, left: MailedWays): MailedWays {
  return {
    keys: without(all.keys, left.keys),
    passkeys: without(all.passkeys, left.passkeys),
    providers: without(all.providers, left.providers),
    webhooks: without(all.webhooks, left.webhooks),
  };
}

function without<Way extends { id: string }>(all: Way[], left: Way[]): Way[] {
  return all.filter(({ id }) => !left.some((way) => way.id === id));
}
