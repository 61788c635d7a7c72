import { AppError } from "#domain/errors.ts";
import { REMOVAL_OPEN_MS, REMOVAL_WAIT_MS } from "#domain/sign-in.ts";
import type { AdminFactorState, AdminViewer, AskedRemoval } from "#domain/wire.ts";
import { createToken } from "../accounts/cookies.ts";
import { securityUrl } from "../accounts/second-factors.ts";
import { findLastEvent } from "../db/account-events.ts";
import { listPasskeysOf } from "../db/passkeys.ts";
import { askForRemoval, findFactor, findRemoval, makeRemoval } from "../db/second-factors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { factorChangedMessage, factorRemovalAskedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { getActiveUserRow } from "./users.ts";

/** @param now epoch milliseconds @throws AppError NOT_FOUND */
export async function describeFactorOf(services: Services, userId: string, now: number): Promise<AdminFactorState> {
  const { db } = services;
  await getActiveUserRow(services, userId);
  const [factor, passkeys, until, kept] = await Promise.all([
    findFactor(db, userId),
    listPasskeysOf(db, userId),
    findRemoval(db, userId, now),
    findLastEvent(db, userId, "factor.kept"),
  ]);
  return {
    since: factor?.confirmedAt?.toISOString() ?? null,
    passkeys: passkeys.length,
    removal: until === null ? null : toRemoval(until, now),
    keptAt: kept?.toISOString() ?? null,
  };
}

const iso = (at: number) => new Date(at).toISOString();

/** @param until epoch milliseconds @param now epoch milliseconds */
function toRemoval(until: number, now: number): AskedRemoval {
  const from = until - REMOVAL_OPEN_MS;
  return { askedAt: iso(from - REMOVAL_WAIT_MS), from: iso(from), until: iso(until), isOpen: from <= now };
}

/**
 * Mails a person who has lost their second factor that it will be removed unless they object. Sends no second mail as
 * long as the person can answer the first one.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, also without a second factor
 */
export async function askToRemoveFactor(
  services: Services,
  admin: AdminViewer,
  userId: string,
  now: number,
): Promise<AskedRemoval> {
  const { db, outbox, settings } = services;
  const { email } = await getActiveUserRow(services, userId);
  const token = createToken();
  const expiresAt = now + REMOVAL_WAIT_MS + REMOVAL_OPEN_MS;
  const mail = outbox.prepare(factorRemovalAskedMessage(email, `${settings.origin}/keep-factor?token=${token}`));
  const entry = { admin, action: "user.second-factor", target: userId, details: `${email}: asked`, at: now } as const;
  if (await askForRemoval(db, { tokenHash: await hashToken(token), userId, expiresAt }, entry, mail)) mail.send();
  const until = await findRemoval(db, userId, now);
  if (until === null) throw localizedError("NOT_FOUND", "noSecondFactor", {});
  return toRemoval(until, now);
}

/**
 * Removes a person's second factor when the mail that announced the removal is three days old and the person has not
 * refused. Mails the person. @param now epoch milliseconds @throws AppError NOT_FOUND, REMOVAL_WAITS
 */
export async function removeFactorOf(
  services: Services,
  admin: AdminViewer,
  userId: string,
  now: number,
): Promise<void> {
  const { email } = await getActiveUserRow(services, userId);
  const event = { userId, at: now, kind: "factor.removed", device: "", address: "" } as const;
  const entry = { admin, action: "user.second-factor", target: userId, details: `${email}: removed`, at: now } as const;
  const mail = services.outbox.prepare(factorChangedMessage(email, "factorRemoved", securityUrl(services)));
  if (!(await makeRemoval(services.db, event, REMOVAL_OPEN_MS, entry, mail))) throw new AppError("REMOVAL_WAITS");
  mail.send();
}
