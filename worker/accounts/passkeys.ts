import { PRODUCT_NAME } from "#domain/brand.ts";
import { AppError } from "#domain/errors.ts";
import {
  CHALLENGE_TTL_MS,
  issueChallenge,
  MAX_PASSKEYS,
  PASSKEY_ALGORITHMS,
  userHandleOf,
  type ChallengeScope,
} from "#domain/passkeys.ts";
import type {
  CurrentUser,
  ListedPasskey,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeysAnswer,
} from "#domain/wire.ts";
import { deletePasskey, insertPasskey, listPasskeysOf, renamePasskey, type PasskeyRow } from "../db/passkeys.ts";
import { openWays } from "../db/ways-in.ts";
import { localizedError } from "../errors/translate-error.ts";
import { passkeyChangedMessage } from "../mail/messages/sign-in.tsx";
import type { PreparedMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { checkAttestation, rpIdOf } from "./passkey-checks.ts";
import { securityUrl } from "./second-factors.ts";
import { findWaiting } from "./second-step.ts";
import type { CurrentSession } from "./session.ts";
import { placeOf, type Visit } from "./visit.ts";

/**
 * Asks for any passkey of this site. Nobody is signed in yet, so the answer names no account's passkeys.
 * @param holder the same text that `identifyByPasskey` gets
 */
export function loginOptions(services: Services, holder: string, now: number): Promise<PasskeyRequestOptions> {
  return requestOptions(services, { purpose: "login", holder }, null, now);
}

/** @param now epoch milliseconds */
export function confirmOptions(
  services: Services,
  { id, user }: CurrentSession,
  now: number,
): Promise<PasskeyRequestOptions> {
  return requestOptions(services, { purpose: "confirm", holder: id }, user.id, now);
}

/** @param headers with the cookie of a sign-in that waits @param now epoch milliseconds @throws AppError STEP_ENDED */
export async function secondFactorOptions(
  services: Services,
  headers: Headers,
  now: number,
): Promise<PasskeyRequestOptions> {
  const { tokenHash, userId } = await findWaiting(services, headers, now);
  return requestOptions(services, { purpose: "second-factor", holder: tokenHash }, userId, now);
}

/** @param userId the account whose passkeys are accepted; null for any account @param now epoch milliseconds */
export async function requestOptions(
  services: Services,
  scope: ChallengeScope,
  userId: string | null,
  now: number,
): Promise<PasskeyRequestOptions> {
  const own = userId === null ? [] : await listPasskeysOf(services.db, userId);
  return {
    challenge: await issueChallenge(await services.challengeKey(), scope, now),
    rpId: rpIdOf(services),
    timeout: CHALLENGE_TTL_MS,
    userVerification: "required",
    allowCredentials: own.map(toDescriptor),
  };
}

/**
 * The caller checks first that the session is confirmed.
 * @param now epoch milliseconds @throws AppError PASSKEY_CONFLICT when the account has 20 passkeys
 */
export async function creationOptions(
  services: Services,
  { id, user }: CurrentSession,
  now: number,
): Promise<PasskeyCreationOptions> {
  const own = await listPasskeysOf(services.db, user.id);
  if (own.length >= MAX_PASSKEYS) throw full();
  return {
    challenge: await issueChallenge(await services.challengeKey(), { purpose: "add", holder: id }, now),
    rp: { id: rpIdOf(services), name: PRODUCT_NAME },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.email },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_TTL_MS,
    attestation: "none",
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    excludeCredentials: own.map(toDescriptor),
  };
}

/**
 * Adds a passkey. Only a confirmed session gets a challenge, and no other session can use that challenge.
 * @param now epoch milliseconds @throws AppError PASSKEY_REFUSED; PASSKEY_CONFLICT for a known or a 21st passkey
 */
export async function addPasskey(
  { services, visit, now }: { services: Services; visit: Visit; now: number },
  { id, user }: CurrentSession,
  { name, credential }: { name: string; credential: PasskeyAttestation },
): Promise<PasskeysAnswer> {
  const checked = await checkAttestation(services, credential, { purpose: "add", holder: id }, now);
  const { challenge, ...passkey } = checked;
  const used = { hash: await hashToken(challenge.id), expiresAt: challenge.expiresAt };
  const row = { ...passkey, userId: user.id, name, transports: credential.response.transports };
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "passkey.added" } as const;
  const mail = prepareMail(services, user.email, "passkeyAdded", name);
  const result = await insertPasskey(services.db, row, MAX_PASSKEYS, used, event, mail);
  if (result === "full") throw full();
  if (result === "taken") throw localizedError("PASSKEY_CONFLICT", "passkeyTaken", {});
  if (result === "used") throw new AppError("PASSKEY_REFUSED");
  mail.send();
  return listPasskeys(services, user.id);
}

export async function listPasskeys(services: Services, userId: string): Promise<PasskeysAnswer> {
  const rows = await listPasskeysOf(services.db, userId);
  return { passkeys: rows.map(toListed), rpId: rpIdOf(services), userHandle: userHandleOf(userId) };
}

/** @throws AppError NOT_FOUND */
export async function changePasskey(
  { db }: Services,
  userId: string,
  id: string,
  name: string,
): Promise<ListedPasskey> {
  const row = await renamePasskey(db, userId, id, name);
  if (!row) throw gone();
  return toListed(row);
}

/**
 * The caller checks first that the session is confirmed.
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND, LAST_WAY_IN
 */
export async function removePasskey(
  services: Services,
  user: CurrentUser,
  id: string,
  visit: Visit,
  now: number,
): Promise<PasskeysAnswer> {
  const passkey = (await listPasskeysOf(services.db, user.id)).find((candidate) => candidate.id === id);
  if (!passkey) throw gone();
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "passkey.removed" } as const;
  const mail = prepareMail(services, user.email, "passkeyRemoved", passkey.name);
  const result = await deletePasskey(services.db, id, openWays(services.settings), event, mail);
  if (result === "gone") throw gone();
  if (result === "last") throw new AppError("LAST_WAY_IN");
  mail.send();
  return listPasskeys(services, user.id);
}

function prepareMail(
  services: Services,
  to: string,
  change: "passkeyAdded" | "passkeyRemoved",
  name: string,
): PreparedMail {
  return services.outbox.prepare(passkeyChangedMessage(to, change, name, securityUrl(services)));
}

function toDescriptor({ credentialId, transports }: PasskeyRow) {
  return { type: "public-key", id: credentialId, transports } as const;
}

function toListed({ id, credentialId, name, createdAt, lastUsedAt, isBackedUp }: PasskeyRow): ListedPasskey {
  return {
    id,
    credentialId,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    isBackedUp,
  };
}

function gone(): AppError {
  return localizedError("NOT_FOUND", "passkeyGone", {});
}

function full(): AppError {
  return localizedError("PASSKEY_CONFLICT", "passkeysFull", { count: MAX_PASSKEYS });
}
