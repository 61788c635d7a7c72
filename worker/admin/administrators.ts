import { toHex } from "#domain/bytes-as-text.ts";
import { withAsciiDomain } from "#domain/email-address.ts";
import { AppError } from "#domain/errors.ts";
import type { AdminFactor } from "#domain/sign-in.ts";
import type { AdminLoginRequest, AdminViewer } from "#domain/wire.ts";
import { forgetWrongOfAdmin, noteWrongOfAdmin } from "../accounts/guesses.ts";
import { checkPassword } from "../accounts/passwords.ts";
import { checkCode } from "../accounts/second-factors.ts";
import { endOfStep, findStepOfTime } from "../accounts/totp.ts";
import { findAdminAccount, type AdminAccount, useConfiguredStepOfTime } from "../db/admin-sessions.ts";
import { enforceRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import { hashToken } from "../tokens.ts";

/** An administrator, and the means by which they can sign in. */
export interface Administrator {
  viewer: AdminViewer;
  /** Null for the administrator of the settings, and for an account without a password. */
  passwordHash: string | null;
  /** The account's revision; null for the administrator of the settings. */
  accessRevision: number | null;
  /** Identifies the credentials in the settings; null for an administrator with an account. */
  settingsKey: string | null;
  hasApp: boolean;
  hasPasskey: boolean;
}

/**
 * Checks a password: for a user name, that of the administrator in the settings; for an address, that of an
 * administrator's account. Mails the administrator about wrong guesses.
 * @throws AppError ADMIN_CREDENTIALS, EMAIL_UNVERIFIED
 */
export async function checkAdminPassword(services: Services, request: AdminLoginRequest): Promise<Administrator> {
  const { db, settings } = services;
  const configured = await configuredAdministrator(settings);
  if (configured && (await matchesSettings(settings, request))) {
    forgetWrongOfAdmin(services, "password", configured.viewer.username);
    return configured;
  }
  const account = await findAdminAccount(db, { email: withAsciiDomain(request.username.toLowerCase()) });
  const isRight = await checkPassword(services, account?.passwordHash ?? null, request.password);
  if (!account || !isRight) {
    const guessed = account ?? (await guessedOfSettings(settings, request));
    if (guessed) noteWrongOfAdmin(services, "password", { username: request.username, email: guessed.email });
    throw new AppError("ADMIN_CREDENTIALS");
  }
  forgetWrongOfAdmin(services, "password", account.email);
  return ofAccount(services, account);
}

/**
 * @param userId null for the administrator of the settings
 * @returns null for a user without the role
 * @throws AppError EMAIL_UNVERIFIED
 */
export async function findAdministrator(services: Services, userId: string | null): Promise<Administrator | null> {
  if (userId === null) return configuredAdministrator(services.settings);
  const account = await findAdminAccount(services.db, { id: userId });
  return account && ofAccount(services, account);
}

/** @returns whether `password` is the administrator's password in the settings or of their account */
export async function isPasswordOf(
  services: Services,
  { viewer, passwordHash }: Administrator,
  password: string,
): Promise<boolean> {
  if (viewer.userId !== null) return checkPassword(services, passwordHash, password);
  return matchesSettings(services.settings, { username: viewer.username, password });
}

/** The second factors that an administrator has, the authenticator app first. */
export function factorsOf({ hasApp, hasPasskey }: Administrator): AdminFactor[] {
  return [...(hasApp ? (["code"] as const) : []), ...(hasPasskey ? (["passkey"] as const) : [])];
}

/**
 * A password alone is not enough if the administrator has set up an authenticator app, or if the settings require a
 * second factor. Unlike in the sign-in of accounts, a trusted device changes nothing.
 */
export function needsSecondFactor({ settings }: Services, { hasApp }: Administrator): boolean {
  return hasApp || settings.adminSecondFactor === "required";
}

function ofAccount({ settings }: Services, account: AdminAccount): Administrator {
  if (settings.emailVerification === "required" && !account.isVerified) throw new AppError("EMAIL_UNVERIFIED");
  const { id, email, passwordHash, accessRevision, hasSecondFactor, hasPasskey } = account;
  return {
    viewer: { userId: id, username: email },
    passwordHash,
    accessRevision,
    settingsKey: null,
    hasApp: hasSecondFactor,
    hasPasskey,
  };
}

async function configuredAdministrator(settings: Settings): Promise<Administrator | null> {
  if (!settings.admin) return null;
  const { username, totpSecret } = settings.admin;
  return {
    viewer: { userId: null, username },
    passwordHash: null,
    accessRevision: null,
    settingsKey: await settingsKeyOf(settings),
    hasApp: totpSecret !== "",
    hasPasskey: false,
  };
}

/**
 * @returns the address that is mailed about the guess; null unless `username` names the administrator of the settings
 */
async function guessedOfSettings(
  { admin, contactEmail }: Settings,
  { username }: AdminLoginRequest,
): Promise<{ email: string } | null> {
  return admin && (await equals(admin.username, username)) ? { email: contactEmail } : null;
}

/** Compares name and password in constant time. */
async function matchesSettings({ admin }: Settings, { username, password }: AdminLoginRequest): Promise<boolean> {
  if (!admin) return false;
  const [isName, isPassword] = await Promise.all([equals(admin.username, username), equals(admin.password, password)]);
  return isName && isPassword;
}

async function equals(expected: string, actual: string): Promise<boolean> {
  const [a, b] = await Promise.all([expected, actual].map(digest));
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b);
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

/**
 * A fingerprint of the configured credentials. When the credentials change, sessions that began with the old
 * credentials end.
 */
export async function settingsKeyOf({ admin, authSecret }: Settings): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(authSecret), algorithm, false, ["sign"]);
  const credentials = JSON.stringify(["admin session", admin?.username, admin?.password, admin?.totpSecret]);
  return toHex(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(credentials)));
}

/**
 * Uses up a code of the administrator's authenticator app. @param now epoch milliseconds
 * @throws AppError SECOND_FACTOR_WRONG, CODES_STOPPED; RATE_LIMITED for the administrator of the settings
 */
export async function checkAdminCode(
  services: Services,
  { viewer: { userId, username } }: Pick<Administrator, "viewer">,
  code: string,
  now: number,
): Promise<void> {
  if (userId !== null) return checkCode(services, userId, code, now);
  const caller = { ip: "", account: username };
  await enforceRateLimit(services, "configuredCode", caller);
  if (!(await useConfiguredCode(services, code, now))) {
    noteWrongOfAdmin(services, "code", { username, email: services.settings.contactEmail });
    throw new AppError("SECOND_FACTOR_WRONG");
  }
  forgetWrongOfAdmin(services, "code", username);
  await giveBackRateLimit(services, "configuredCode", caller);
}

async function useConfiguredCode({ db, settings }: Services, code: string, now: number): Promise<boolean> {
  const secret = settings.admin?.totpSecret ?? "";
  const stepOfTime = secret === "" ? null : findStepOfTime(secret, code, now);
  if (stepOfTime === null) return false;
  return useConfiguredStepOfTime(db, await hashToken(`admin code ${secret}`), stepOfTime, endOfStep(stepOfTime));
}
