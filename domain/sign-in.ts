import { randomText } from "./random-text.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./units.ts";

/** Crockford's base 32, which leaves out I, L, O and U. */
const RECOVERY_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 50 bits. */
const RECOVERY_LENGTH = 10;
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`);

/** How a person proved who they are. */
export type SignInMethod = "password" | "passkey" | "mail" | "provider" | "recovery";

/** What a second factor can be. */
export const SECOND_FACTOR_METHODS = ["code", "passkey", "recoveryCode"] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

/** What confirms that it is still the person who signed in. */
export type ConfirmMethod = "password" | "passkey" | "code" | "mailCode";

/** What an administrator can show besides a password. */
export type AdminFactor = "code" | "passkey";
/** How an administrator signed in to the back office: by a password alone, with a code of an app, or by a passkey. */
export type AdminSignInMethod = "password" | AdminFactor;
/** How long a session of the back office lasts, from the login. */
/** From its beginning, or from when use last renewed it. */
export const SESSION_MS = 7 * DAY_MS;
/** Use renews a session at most so often. */
export const SESSION_RENEWAL_MS = DAY_MS;
/** Of a session that ends with the browser. Use does not renew it. */
export const BROWSER_SESSION_MS = DAY_MS;
export const ADMIN_SESSION_MS = 8 * HOUR_MS;

/** What the list of what happened lately can show. */
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

/** How long a session may do what is sensitive after it signed in or confirmed. */
export const CONFIRMED_MS = 10 * MINUTE_MS;
/** How long the former email address can be brought back after a new one is first used. */
export const EMAIL_UNDO_MS = 7 * DAY_MS;
/** How long the link in a mail about a new device works. */
export const NOT_ME_LINK_TTL_MS = 7 * DAY_MS;
/** How long somebody may take for the second factor. */
export const STEP_TTL_MS = 5 * MINUTE_MS;
/** How many answers a step takes, right or wrong. */
export const STEP_TRIES = 5;
/** The owner of an app is mailed after this many wrong codes since the last right one. */
export const WRONG_CODES_TOLD = 10;
/**
 * After this many wrong codes, no code is checked until the owner has proved themselves otherwise, or has set another
 * password.
 */
export const MAX_WRONG_CODES = 100;
/** How long a trusted device is not asked for the second factor. */
export const DEVICE_TRUST_MS = 30 * DAY_MS;
/** How many are made at a time. */
const RECOVERY_CODES = 10;
/** When only this many recovery codes are left, the mail about a used one reminds its reader to make new ones. */
export const FEW_RECOVERY_CODES = 3;
/** How long a person can object to the mail that says that an administrator will remove their second factor. */
export const REMOVAL_WAIT_MS = 3 * DAY_MS;
/** How long after that the administrator can remove it. */
export const REMOVAL_OPEN_MS = 7 * DAY_MS;
/** How long a link by mail and its code work. */
export const MAIL_LINK_TTL_MS = 15 * MINUTE_MS;
/** Tries of a code by mail, right or wrong, after which another mail is needed. */
export const MAIL_CODE_TRIES = 5;
export const MAIL_CODE_DIGITS = 8;
/** How long somebody may take at a provider's page. */
export const PROVIDER_STATE_TTL_MS = 10 * MINUTE_MS;
/** A younger account gets no mail about a new device: its person is still setting it up. */
export const NEW_DEVICE_MAIL_MIN_AGE_MS = DAY_MS;
/**
 * How long a device is known after its last sign-in. Afterwards the browser's cookie is gone, and the row of the device
 * goes too.
 */
export const DEVICE_TTL_MS = 365 * DAY_MS;
/** How long the list of recent events remembers one. */
export const ACCOUNT_EVENT_RETENTION_MS = 180 * DAY_MS;

/** @param confirmedAt epoch milliseconds; null where it is not known */
export function isConfirmed(confirmedAt: number | null, now: number): boolean {
  return confirmedAt !== null && confirmedAt > now - CONFIRMED_MS;
}

/** How long mailed links work, milliseconds. The mails say so. */
export const RESET_LINK_TTL_MS = HOUR_MS;
export const VERIFICATION_LINK_TTL_MS = HOUR_MS;

/** @returns ten codes as people read them, such as `7Q4ZK-M2X9D` */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(randomText(RECOVERY_ALPHABET, RECOVERY_LENGTH));
  return [...codes].map((code) => `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`);
}

/**
 * Reads what people type: in any case, with spaces or hyphens anywhere, and with the letters that look like digits.
 * @returns null for what is no recovery code
 */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return RECOVERY_CODE.test(code) ? code : null;
}
