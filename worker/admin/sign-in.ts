import * as z from "zod/mini";
import { AppError } from "#domain/errors.ts";
import { STEP_TRIES, STEP_TTL_MS, type AdminFactor } from "#domain/sign-in.ts";
import type {
  AdminLoginRequest,
  AdminSecondFactorRequest,
  PasskeyAssertion,
  PasskeyRequestOptions,
} from "#domain/wire.ts";
import { createToken, readTokenCookie, tokenCookie } from "../accounts/cookies.ts";
import { checkPasskeyFactor, identifyByPasskey } from "../accounts/passkey-answers.ts";
import { loginOptions, requestOptions } from "../accounts/passkeys.ts";
import type { Visit } from "../accounts/visit.ts";
import { insertChallenge } from "../db/sign-ins.ts";
import { endWaiting, findWaitingSignIn, takeTry } from "../db/waiting-sign-ins.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import {
  checkAdminPassword,
  factorsOf,
  findAdministrator,
  needsSecondFactor,
  type Administrator,
  checkAdminCode,
} from "./administrators.ts";
import { beginAdminSession } from "./sessions.ts";

const KIND = "admin-second-factor";
/** Keeps passkey challenges of the back office's login apart from those of the accounts' login. */
const CHALLENGE_HOLDER = "admin";

/** A session, or a step that waits for a second factor. `cookie` is the `Set-Cookie` value to send. */
export type AdminSignIn =
  { kind: "session"; cookie: string } | { kind: "step"; methods: AdminFactor[]; cookie: string };

/**
 * Signs an administrator in by name and password.
 * @param now epoch milliseconds @throws AppError ADMIN_CREDENTIALS, EMAIL_UNVERIFIED, SECOND_FACTOR_SETUP
 */
export async function loginAdmin(services: Services, request: AdminLoginRequest, now: number): Promise<AdminSignIn> {
  const administrator = await checkAdminPassword(services, request);
  const methods = factorsOf(administrator);
  if (!needsSecondFactor(services, administrator)) {
    return { kind: "session", cookie: await beginAdminSession(services, administrator, "password", now) };
  }
  if (methods.length === 0) throw setupRequired(administrator);
  return { kind: "step", methods, cookie: await beginStep(services, administrator, now) };
}

function setupRequired({ viewer }: Administrator): AppError {
  if (viewer.userId !== null) return new AppError("SECOND_FACTOR_SETUP", { setUpAt: "/account/security" });
  return localizedError("SECOND_FACTOR_SETUP", "adminSecretMissing", {});
}

/** The proof of the password, saved while the sign-in waits for its second factor. */
const waitingData = z.object({ settingsKey: z.nullable(z.string()), accessRevision: z.nullable(z.number()) });

async function beginStep({ db, settings }: Services, administrator: Administrator, now: number): Promise<string> {
  const { viewer, settingsKey, accessRevision } = administrator;
  const token = createToken();
  await insertChallenge(db, {
    tokenHash: await hashToken(token),
    kind: KIND,
    userId: viewer.userId,
    data: JSON.stringify({ settingsKey, accessRevision } satisfies z.infer<typeof waitingData>),
    expiresAt: now + STEP_TTL_MS,
  });
  return tokenCookie(settings, "adminStep", token);
}

/** The waiting sign-in that the request's cookie names. */
export interface WaitingAdmin {
  tokenHash: string;
  administrator: Administrator;
}

/**
 * @param now epoch milliseconds
 * @throws AppError STEP_ENDED, also if the settings or the role changed since the password was checked
 */
export async function findWaitingAdmin(services: Services, headers: Headers, now: number): Promise<WaitingAdmin> {
  const { db, settings } = services;
  const token = readTokenCookie(settings, "adminStep", headers);
  const tokenHash = token === null ? null : await hashToken(token);
  const waiting = tokenHash === null ? null : await findWaitingSignIn(db, KIND, tokenHash, now);
  const administrator = waiting && (await findAdministrator(services, waiting.userId));
  if (tokenHash === null || !waiting || !administrator) throw new AppError("STEP_ENDED");
  const { settingsKey, accessRevision } = waitingData.parse(JSON.parse(waiting.data));
  const isSame = settingsKey === administrator.settingsKey && accessRevision === administrator.accessRevision;
  if (!isSame) throw new AppError("STEP_ENDED");
  return { tokenHash, administrator };
}

/**
 * Checks the second factor of an administrator's sign-in. Counts every answer, right or wrong; the sixth answer is not
 * checked.
 * @param now epoch milliseconds
 * @returns the `Set-Cookie` header
 * @throws AppError SECOND_FACTOR_WRONG, PASSKEY_REFUSED, STEP_ENDED
 */
export async function showAdminFactor(
  services: Services,
  { tokenHash, administrator }: WaitingAdmin,
  { code = "", passkey }: AdminSecondFactorRequest,
  visit: Visit,
  now: number,
): Promise<string> {
  const { db } = services;
  if (!(await takeTry(db, KIND, tokenHash, STEP_TRIES, now))) throw new AppError("STEP_ENDED");
  if (passkey) {
    await checkPasskeyFactor(services, { userId: accountIdOf(administrator), tokenHash }, passkey, visit, now);
  } else await checkAdminCode(services, administrator, code, now);
  if (!(await endWaiting(db, KIND, tokenHash, now))) throw new AppError("STEP_ENDED");
  return beginAdminSession(services, administrator, passkey ? "passkey" : "code", now);
}

/**
 * Signs an administrator's account in by a passkey, which counts as two factors: the device is one, and its PIN or
 * biometrics is the other.
 * @param now epoch milliseconds
 * @returns the `Set-Cookie` header
 * @throws AppError PASSKEY_UNKNOWN, PASSKEY_REFUSED, ADMIN_REQUIRED, EMAIL_UNVERIFIED
 */
export async function loginAdminByPasskey(
  services: Services,
  credential: PasskeyAssertion,
  visit: Visit,
  now: number,
): Promise<string> {
  const { userId, accessRevision } = await identifyByPasskey(services, credential, CHALLENGE_HOLDER, visit, now);
  const administrator = await findAdministrator(services, userId);
  if (!administrator) throw new AppError("ADMIN_REQUIRED");
  // `accessRevision` was read before the passkey was checked, so that a revision raised after that ends the login.
  return beginAdminSession(services, { ...administrator, accessRevision }, "passkey", now);
}

/** @param now epoch milliseconds */
export function adminLoginOptions(services: Services, now: number): Promise<PasskeyRequestOptions> {
  return loginOptions(services, CHALLENGE_HOLDER, now);
}

/** @param headers with a step's cookie @param now epoch milliseconds @throws AppError STEP_ENDED, PASSKEY_REFUSED */
export async function adminSecondFactorOptions(
  services: Services,
  headers: Headers,
  now: number,
): Promise<PasskeyRequestOptions> {
  const { tokenHash, administrator } = await findWaitingAdmin(services, headers, now);
  const scope = { purpose: "second-factor", holder: tokenHash } as const;
  return requestOptions(services, scope, accountIdOf(administrator), now);
}

/** @returns the account's id @throws AppError PASSKEY_REFUSED: the administrator of the settings has no passkeys */
export function accountIdOf({ viewer }: Pick<Administrator, "viewer">): string {
  if (viewer.userId === null) throw new AppError("PASSKEY_REFUSED");
  return viewer.userId;
}
