import { randomText } from "./random-text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units.ts";

/** Crockford's base 32, which leaves out I, L, O and U. */
const RECOVERY_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 50 random bits. */
const RECOVERY_LENGTH = 10;
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`);

/** How a person signed in. */
export type SignInMethod = "password" | "passkey" | "mail" | "provider" | "recovery";

/** The kinds of second factors. */
export const SECOND_FACTOR_METHODS = ["code", "passkey", "recoveryCode"] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

/** How a person with a session confirms who they are. */
export type ConfirmMethod = "password" | "passkey" | "code" | "mailCode";

/** The second factors that an administrator can have. */
export type AdminFactor = "code" | "passkey";
/** How an administrator signed in to the back office: with a password alone, a code of an app, or a passkey. */
export type AdminSignInMethod = "password" | AdminFactor;
/** The lifetime of a session, from the sign-in or from its last renewal by use. */
export const SESSION_MS = 7 * DAY_MS;
/** Use renews a session at most this often. */
export const SESSION_RENEWAL_MS = DAY_MS;
/** The lifetime of a session that ends with the browser. Use does not renew such a session. */
export const BROWSER_SESSION_MS = DAY_MS;
/** The lifetime of a back office session, from the login. */
export const ADMIN_SESSION_MS = 8 * HOUR_MS;

/** The events that an account's list of recent events can show. */
export type AccountEventKind =
  | "sign-in"
  | "sign-in.new-device"
  | "sign-out-everywhere"
  | "device.removed"
  | "passkey.added"
  | "passkey.removed"
  | "passkey.refused"
  | "password.changed"
  | "email.requested"
  | "email.changed"
  | "email.undone"
  | "email.claimed"
  | "provider.linked"
  | "provider.unlinked"
  | "locked"
  | "webhook.added"
  | "webhook.moved"
  | "factor.set"
  | "factor.removed"
  | "factor.kept"
  | "recovery-codes.made"
  | "recovery-code.used";

/** How long a session may make sensitive changes after it signed in or confirmed. */
export const CONFIRMED_MS = 10 * MINUTE_MS;
/** How long the former email address can be restored after a new one is first used. */
export const EMAIL_UNDO_MS = 7 * DAY_MS;
/** How long the link in a mail about a new device works. */
export const NOT_ME_LINK_TTL_MS = 7 * DAY_MS;
/** How long a sign-in waits for the second factor. */
export const STEP_TTL_MS = 5 * MINUTE_MS;
/** The number of answers that a second step accepts, right or wrong. */
export const STEP_TRIES = 5;
/** An authenticator app's owner is mailed after this many wrong codes since the last right one. */
export const WRONG_CODES_TOLD = 10;
/** After this many wrong codes, all codes are refused until the owner signs in another way or sets another password. */
export const MAX_WRONG_CODES = 100;
/** How long a trusted device is not asked for the second factor. */
export const DEVICE_TRUST_MS = 30 * DAY_MS;
/** The number of recovery codes that are made at a time. */
const RECOVERY_CODES = 10;
/** When only this many recovery codes are left, the mail about a used one reminds its reader to make new ones. */
export const FEW_RECOVERY_CODES = 3;
/** How long a person can object to the mail that says that an administrator will remove their second factor. */
export const REMOVAL_WAIT_MS = 3 * DAY_MS;
/** How long an administrator can remove a second factor, after the person's time to object. */
export const REMOVAL_OPEN_MS = 7 * DAY_MS;
/** How long a mailed link and its code work. */
export const MAIL_LINK_TTL_MS = 15 * MINUTE_MS;
/** The number of tries of a mailed code, right or wrong, before a new mail is needed. */
export const MAIL_CODE_TRIES = 5;
export const MAIL_CODE_DIGITS = 8;
/** How long a person may take on a provider's page. */
export const PROVIDER_STATE_TTL_MS = 10 * MINUTE_MS;
/** A younger account gets no mail about a new device, because its owner is still setting it up. */
export const NEW_DEVICE_MAIL_MIN_AGE_MS = DAY_MS;
/** How long a device is known after its last sign-in. The device's cookie and row live as long. */
export const DEVICE_TTL_MS = 365 * DAY_MS;
/** How long the list of recent events keeps an event. */
export const ACCOUNT_EVENT_RETENTION_MS = 180 * DAY_MS;

/** @param confirmedAt epoch milliseconds; null if it is unknown @param now epoch milliseconds */
export function isConfirmed(confirmedAt: number | null, now: number): boolean {
  return confirmedAt !== null && confirmedAt > now - CONFIRMED_MS;
}

/** How long mailed links work, in milliseconds. The mails name these times. */
export const RESET_LINK_TTL_MS = HOUR_MS;
export const VERIFICATION_LINK_TTL_MS = HOUR_MS;

/** @returns ten codes as people read them, such as `7Q4ZK-M2X9D` */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(randomText(RECOVERY_ALPHABET, RECOVERY_LENGTH));
  return [...codes].map((code) => `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`);
}

/** Reads typed text in any case, with spaces, hyphens, and letters that look like digits. @returns null if invalid */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return RECOVERY_CODE.test(code) ? code : null;
}
