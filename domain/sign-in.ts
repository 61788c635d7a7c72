import { DAY_MS, MINUTE_MS } from "./units.ts";

/** By what a person shows who they are. */
export const SIGN_IN_METHODS = ["password", "passkey", "mail", "provider", "recovery"] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** What a second factor can be. */
export type SecondFactorMethod = "code" | "passkey" | "recoveryCode";

/** What the person's list of what happened lately shows. */
export const ACCOUNT_EVENTS = [
  "sign-in",
  "sign-in.new-device",
  "confirm.wrong",
  "sign-out-everywhere",
  "device.removed",
  "password.changed",
  "email.requested",
  "email.changed",
  "email.undone",
  "locked",
] as const;
export type AccountEventKind = (typeof ACCOUNT_EVENTS)[number];

/** For so long after it signed in or confirmed, a session may do what is sensitive. */
export const CONFIRMED_MS = 10 * MINUTE_MS;
/** For so long after a new address is first used, the former one can be brought back. */
export const EMAIL_UNDO_MS = 7 * DAY_MS;
/** The link of a mail about a new device. */
export const NOT_ME_LINK_TTL_MS = 7 * DAY_MS;
/** Accounts that are younger get no mail about a new device: the person is still setting theirs up. */
export const NEW_DEVICE_MAIL_AGE_MS = DAY_MS;
/** The cookie that names a browser. */
export const DEVICE_COOKIE_MS = 365 * DAY_MS;
