import { AppError } from "#domain/errors.ts";
import type { ChallengeScope } from "#domain/passkeys.ts";
import type { PasskeyAssertion } from "#domain/wire.ts";
import { findPasskey, noteRefusedPasskey, usePasskey, type FoundPasskey, type UsedChallenge } from "../db/passkeys.ts";
import { passkeyRefusedMessage } from "../mail/messages/sign-in.tsx";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { toSessionChange, type SessionChange } from "./accounts.ts";
import { canonicalId, checkAssertion } from "./passkey-checks.ts";
import { signIn } from "./sign-in.ts";
import { placeOf, type Visit } from "./visit.ts";

/**
 * Signs in by a passkey, which counts as two factors: the device is one, and its PIN or biometrics is the other.
 * @param now epoch milliseconds @throws AppError PASSKEY_UNKNOWN, PASSKEY_REFUSED, PASSKEY_COPIED, and as `signIn`
 */
export async function loginByPasskey(
  services: Services,
  { credential, rememberMe }: { credential: PasskeyAssertion; rememberMe: boolean },
  visit: Visit,
  now: number,
): Promise<SessionChange> {
  const { userId, accessRevision } = await identifyByPasskey(services, credential, "", visit, now);
  const proof = { who: userId, by: "passkey", factors: 2, accessRevision } as const;
  return toSessionChange(await signIn(services, proof, visit, { rememberMe }, now));
}

/**
 * @param holder the same text that `loginOptions` got @param now epoch milliseconds @returns the account's id, and its
 * revision before the passkey was checked @throws AppError PASSKEY_UNKNOWN, PASSKEY_REFUSED, PASSKEY_COPIED
 */
export async function identifyByPasskey(
  services: Services,
  credential: PasskeyAssertion,
  holder: string,
  visit: Visit,
  now: number,
): Promise<{ userId: string; accessRevision: number }> {
  const found = await findPasskey(services.db, canonicalId(credential));
  if (!found) throw new AppError("PASSKEY_UNKNOWN");
  await takeAnswer(services, found, credential, { purpose: "login", holder }, visit, now);
  return { userId: found.passkey.userId, accessRevision: found.accessRevision };
}

/** @param now epoch milliseconds @throws AppError PASSKEY_REFUSED, PASSKEY_COPIED */
export async function confirmByPasskey(
  services: Services,
  { userId, sessionId }: { userId: string; sessionId: string },
  credential: PasskeyAssertion,
  visit: Visit,
  now: number,
): Promise<void> {
  const found = await findOwnPasskey(services, userId, credential);
  await takeAnswer(services, found, credential, { purpose: "confirm", holder: sessionId }, visit, now);
}

/**
 * Checks the passkey of a sign-in that waits for a second factor. The caller ends the waiting sign-in and begins the
 * session.
 * @param waiting the account that signs in, and the hash of its step's token
 * @param now epoch milliseconds
 * @throws AppError PASSKEY_REFUSED, PASSKEY_COPIED
 */
export async function checkPasskeyFactor(
  services: Services,
  waiting: { userId: string; tokenHash: string },
  credential: PasskeyAssertion,
  visit: Visit,
  now: number,
): Promise<void> {
  const found = await findOwnPasskey(services, waiting.userId, credential);
  const scope = { purpose: "second-factor", holder: waiting.tokenHash } as const;
  await takeAnswer(services, found, credential, scope, visit, now);
}

async function findOwnPasskey({ db }: Services, userId: string, credential: PasskeyAssertion): Promise<FoundPasskey> {
  const found = await findPasskey(db, canonicalId(credential));
  if (found?.passkey.userId !== userId) throw new AppError("PASSKEY_REFUSED");
  return found;
}

/**
 * Checks a passkey's answer and uses up its challenge. The account's owner gets a mail about each answer with a lower
 * counter than before.
 * @throws AppError PASSKEY_REFUSED; PASSKEY_COPIED when the counter went back
 */
async function takeAnswer(
  services: Services,
  found: FoundPasskey,
  credential: PasskeyAssertion,
  scope: ChallengeScope,
  visit: Visit,
  now: number,
): Promise<void> {
  const { passkey } = found;
  const { challenge, counter, isBackedUp } = await checkAssertion(services, passkey, credential, scope, now);
  const used = { hash: await hashToken(challenge.id), expiresAt: challenge.expiresAt };
  // Authenticators that do not count always send 0 (WebAuthn Level 3, 6.1.1).
  const goesOn = counter > passkey.counter || (counter === 0 && passkey.counter === 0);
  if (!goesOn) {
    await tellRefused(services, found, used, visit, now);
    throw new AppError("PASSKEY_COPIED");
  }
  const isUsed = await usePasskey(services.db, passkey, { challenge: used, counter, isBackedUp, now });
  if (!isUsed) throw new AppError("PASSKEY_REFUSED");
}

async function tellRefused(
  { db, outbox, settings }: Services,
  { passkey, email }: FoundPasskey,
  used: UsedChallenge,
  visit: Visit,
  now: number,
): Promise<void> {
  const notice = outbox.prepare(passkeyRefusedMessage(email, passkey.name, `${settings.origin}/account/security`));
  const event = { ...placeOf(visit), userId: passkey.userId, at: now, kind: "passkey.refused" } as const;
  if (await noteRefusedPasskey(db, used, event, notice)) notice.send();
}
