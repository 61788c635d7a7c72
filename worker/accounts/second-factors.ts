import { openSecret, sealSecret } from "#domain/data-keys.ts";
import { AppError } from "#domain/errors.ts";
import { newRecoveryCodes, MAX_WRONG_CODES, WRONG_CODES_TOLD } from "#domain/sign-in.ts";
import type { CurrentUser, NewFactor, SecondFactorState } from "#domain/wire.ts";
import {
  countRecoveryCodes,
  enableFactor,
  findFactor,
  findRemovalOwner,
  refuseRemoval,
  removeFactor,
  replaceRecoveryCodes,
  saveNewFactor,
  takeCode,
  useRecoveryCode,
  useStepOfTime,
  type FactorRow,
} from "../db/second-factors.ts";
import { findLiveEmail } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { factorChangedMessage, recoveryCodeUsedMessage, wrongCodesMessage } from "../mail/messages/sign-in.tsx";
import { notify } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { readTokenCookie } from "./cookies.ts";
import { findStepOfTime, hashRecoveryCode, newFactor } from "./totp.ts";
import { placeOf, type Visit } from "./visit.ts";

export async function describeFactor({ db }: Services, { id }: CurrentUser): Promise<SecondFactorState> {
  const [factor, recoveryCodesLeft] = await Promise.all([findFactor(db, id), countRecoveryCodes(db, id)]);
  return { since: factor?.confirmedAt?.toISOString() ?? null, recoveryCodesLeft };
}

/**
 * Makes the secret of an authenticator app, which becomes the account's second factor with `confirmFactor`.
 * @throws AppError SECOND_FACTOR_SET
 */
export async function beginFactor({ db, dataKeys }: Services, { id, email }: CurrentUser): Promise<NewFactor> {
  const factor = newFactor(email);
  const sealed = await sealSecret(await dataKeys(), factorOwner(id), factor.secret);
  if (!(await saveNewFactor(db, id, sealed))) throw new AppError("SECOND_FACTOR_SET");
  return factor;
}

/**
 * @param code the app's first code @param now epoch milliseconds @returns the recovery codes
 * @throws AppError SECOND_FACTOR_WRONG; SECOND_FACTOR_SET; BAD_REQUEST when `beginFactor` was not called
 */
export async function confirmFactor(
  services: Services,
  user: CurrentUser,
  code: string,
  visit: Visit,
  now: number,
): Promise<string[]> {
  const { db } = services;
  const factor = await findFactor(db, user.id);
  if (!factor) throw localizedError("BAD_REQUEST", "factorNotBegun", {});
  if (factor.confirmedAt) throw new AppError("SECOND_FACTOR_SET");
  const secret = await open(services, factor);
  const stepOfTime = findStepOfTime(secret, code, now);
  if (stepOfTime === null) throw new AppError("SECOND_FACTOR_WRONG");
  const { codes, hashes } = await makeCodes(secret);
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "factor.set" } as const;
  const mail = prepareMail(services, user.email, "factorSet");
  const device = readTokenCookie(services.settings, "device", visit.headers);
  const shown = { stepOfTime, deviceHash: device === null ? null : await hashToken(device) };
  if (!(await enableFactor(db, factor, shown, hashes, event, mail))) {
    throw localizedError("BAD_REQUEST", "factorNotBegun", {});
  }
  mail.send();
  return codes;
}

/** Ends the former recovery codes. @returns the new recovery codes @throws AppError NOT_FOUND without a factor */
export async function makeRecoveryCodes(
  services: Services,
  user: CurrentUser,
  visit: Visit,
  now: number,
): Promise<string[]> {
  const factor = await findFactor(services.db, user.id);
  if (!factor?.confirmedAt) throw noFactor();
  const { codes, hashes } = await makeCodes(await open(services, factor));
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "recovery-codes.made" } as const;
  const mail = prepareMail(services, user.email, "recoveryCodesMade");
  if (!(await replaceRecoveryCodes(services.db, factor, hashes, event, mail))) throw noFactor();
  mail.send();
  return codes;
}

/** Removes a factor with its recovery codes. @throws AppError NOT_FOUND without a factor */
export async function dropFactor(services: Services, user: CurrentUser, visit: Visit, now: number): Promise<void> {
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "factor.removed" } as const;
  const mail = prepareMail(services, user.email, "factorRemoved");
  if (!(await removeFactor(services.db, event, mail))) throw noFactor();
  mail.send();
}

/**
 * Refuses an administrator's removal of the second factor.
 * @param token from the mail that announced the removal
 * @throws AppError TOKEN_INVALID
 */
export async function keepFactor({ db }: Services, token: string, visit: Visit, now: number): Promise<void> {
  const tokenHash = await hashToken(token);
  const userId = await findRemovalOwner(db, tokenHash, now);
  const event = { ...placeOf(visit), userId: userId ?? "", at: now, kind: "factor.kept" } as const;
  if (userId === null || !(await refuseRemoval(db, tokenHash, event))) throw new AppError("TOKEN_INVALID");
}

/**
 * Uses up a code of the authenticator app. The account's owner is mailed after ten wrong codes in a row; after a
 * hundred wrong codes, no further code is checked.
 * @param now epoch milliseconds
 * @throws AppError SECOND_FACTOR_WRONG, CODES_STOPPED
 */
export async function checkCode(services: Services, userId: string, code: string, now: number): Promise<void> {
  const { db } = services;
  const factor = await findSetFactor(services, userId);
  const secret = await open(services, factor);
  const wrong = await takeCode(db, userId, MAX_WRONG_CODES);
  if (wrong === null) throw new AppError("CODES_STOPPED");
  const stepOfTime = findStepOfTime(secret, code, now);
  if (stepOfTime !== null && (await useStepOfTime(db, factor, stepOfTime))) return;
  if (wrong === WRONG_CODES_TOLD) await tellWrongCodes(services, userId, "codesGuessed");
  if (wrong === MAX_WRONG_CODES) await tellWrongCodes(services, userId, "codesStopped");
  throw new AppError("SECOND_FACTOR_WRONG");
}

async function tellWrongCodes(
  { db, outbox }: Services,
  userId: string,
  what: Parameters<typeof wrongCodesMessage>[1],
): Promise<void> {
  const email = await findLiveEmail(db, userId);
  if (email !== null) await notify(outbox, wrongCodesMessage(email, what));
}

/**
 * Uses up a recovery code, and mails the account's owner.
 * @param now epoch milliseconds
 * @throws AppError SECOND_FACTOR_WRONG
 */
export async function checkRecoveryCode(
  services: Services,
  { id, email }: Pick<CurrentUser, "id" | "email">,
  code: string,
  visit: Visit,
  now: number,
): Promise<void> {
  const { db, outbox } = services;
  const factor = await findSetFactor(services, id);
  const hash = await hashRecoveryCode(await open(services, factor), code);
  const event = { ...placeOf(visit), userId: id, at: now, kind: "recovery-code.used" } as const;
  const left = hash === null ? null : await useRecoveryCode(db, hash, event);
  if (left === null) throw new AppError("SECOND_FACTOR_WRONG");
  await notify(outbox, recoveryCodeUsedMessage(email, visit, now, left, securityUrl(services)));
}

/**
 * The name under which the secret of an account's second factor is sealed, so that the secret opens for no other
 * account.
 */
export function factorOwner(userId: string): string {
  return `second-factor:${userId}`;
}

async function findSetFactor({ db }: Services, userId: string): Promise<FactorRow> {
  const factor = await findFactor(db, userId);
  if (!factor?.confirmedAt) throw new AppError("SECOND_FACTOR_WRONG");
  return factor;
}

/** @throws Error when no data key opens the secret, because the operator has lost the key */
async function open({ dataKeys }: Services, { userId, secret }: FactorRow): Promise<string> {
  const opened = await openSecret(await dataKeys(), factorOwner(userId), secret);
  if (opened === null) throw new Error("DATA_KEY does not open the secret of a second factor");
  return opened;
}

async function makeCodes(secret: string): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map((code) => hashRecoveryCode(secret, code)));
  return { codes, hashes: hashes.filter((hash) => hash !== null) };
}

function prepareMail(services: Services, to: string, change: Parameters<typeof factorChangedMessage>[1]) {
  return services.outbox.prepare(factorChangedMessage(to, change, securityUrl(services)));
}

/** The page on which a person manages their ways in and their second factor. */
export function securityUrl({ settings }: Services): string {
  return `${settings.origin}/account/security`;
}

function noFactor(): AppError {
  return localizedError("NOT_FOUND", "noSecondFactor", {});
}
