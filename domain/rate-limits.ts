import { KEY_CALLS_PER_MINUTE } from "./api-keys.ts";
import { isFree, type PlanId } from "./plans.ts";
import { STARTS_PER_HOUR } from "./requests/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./units.ts";

export type RateLimitSubject = "address" | "account" | "key" | "link" | "linkAndAddress";

export interface RateLimitRule {
  by: RateLimitSubject;
  /** Calls allowed in any period of `windowMs`. */
  maxCalls: number;
  windowMs: number;
  /** After the limit, still allows one call per this time, so that nobody can lock another person's account. */
  thenEveryMs?: number;
}

/** After this many wrong passwords or codes, the administrator is mailed about the next one. */
export const WRONG_UNTOLD = 9;

const PASSWORD_TRIES = [
  { by: "address", maxCalls: 5, windowMs: MINUTE_MS },
  { by: "account", maxCalls: 10, windowMs: 15 * MINUTE_MS, thenEveryMs: 30 * SECOND_MS },
] as const satisfies readonly RateLimitRule[];

/** A call must satisfy all of its rules (decision 019). */
export const CALL_LIMITS = {
  login: PASSWORD_TRIES,
  /** A session shows again who it belongs to. */
  confirm: PASSWORD_TRIES,
  /** Asked before it is known whose sign-in waits. */
  secondStep: [{ by: "address", maxCalls: 30, windowMs: MINUTE_MS }],
  /** Second factors: of a sign-in that waits for one, and the first code of a new one. */
  secondFactor: [{ by: "account", maxCalls: 10, windowMs: 15 * MINUTE_MS, thenEveryMs: 30 * SECOND_MS }],
  /** Beginning to set an authenticator app up, removing it, and making recovery codes. Changes are mailed. */
  changeFactor: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  /** Challenges, and what answers them. */
  passkey: [{ by: "address", maxCalls: 30, windowMs: MINUTE_MS }],
  register: [{ by: "address", maxCalls: 5, windowMs: HOUR_MS }],
  /** Emails that reset a password, verify an address or announce another one, together. */
  accountMail: [
    { by: "account", maxCalls: 3, windowMs: HOUR_MS },
    { by: "address", maxCalls: 10, windowMs: HOUR_MS },
  ],
  /** Limited so that the tokens in these emails cannot be guessed. */
  redeemToken: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Links and codes that sign in. */
  mailLink: [
    { by: "account", maxCalls: 3, windowMs: HOUR_MS },
    { by: "address", maxCalls: 10, windowMs: HOUR_MS },
  ],
  /** Codes that confirm a session. Apart from `mailLink`, which strangers can use up for any address. */
  confirmMail: [{ by: "account", maxCalls: 3, windowMs: HOUR_MS, thenEveryMs: 10 * MINUTE_MS }],
  /** Sign-ins that begin at another provider, and those that come back. */
  provider: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  startUpload: [{ by: "account", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Calls of `/api/v1`. A key may have a lower limit of its own. */
  v1: [
    { by: "key", maxCalls: KEY_CALLS_PER_MINUTE, windowMs: MINUTE_MS },
    { by: "account", maxCalls: 900, windowMs: MINUTE_MS },
  ],
  startByKey: [{ by: "account", maxCalls: 60, windowMs: MINUTE_MS }],
  /** Keys that do not work, so that nobody tries many. */
  refusedKey: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Each is mailed to its owner. */
  makeKey: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  /** Codes that sign a program in. */
  startDevice: [{ by: "address", maxCalls: 10, windowMs: HOUR_MS }],
  /** A program asks twelve times a minute, and ten programs of an address may wait at once. */
  pollDevice: [{ by: "address", maxCalls: 120, windowMs: MINUTE_MS }],
  /** Codes that people type, for as long as a code lives, so that nobody finds somebody else's by trying. */
  enterDeviceCode: [
    { by: "account", maxCalls: 20, windowMs: 10 * MINUTE_MS },
    { by: "address", maxCalls: 60, windowMs: 10 * MINUTE_MS },
  ],
  /** A call counts for each address. */
  shareByMail: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  /** Asked after `shareByMail`. */
  shareByMailInADay: [{ by: "account", maxCalls: 200, windowMs: DAY_MS }],
  /** Addresses of unsubscribe pages. What a mail program posts is not limited: many people share its addresses. */
  unsubscribe: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  anonymousUpload: [{ by: "address", maxCalls: 10, windowMs: DAY_MS }],
  /** Metadata of a download. Fetching the bytes of a file is not limited. */
  downloadInfo: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  /** Pages of a transfer's list. */
  listEntries: [{ by: "address", maxCalls: 120, windowMs: MINUTE_MS }],
  /** A transfer's ZIP and ranges of it, whose layout has to be worked out. */
  archive: [{ by: "address", maxCalls: 300, windowMs: MINUTE_MS }],
  /** Requests with an unknown download id, on all routes, so that ids cannot be guessed. */
  unknownDownload: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** What a request for files asks for, before anything is sent. */
  readRequest: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  /** Tokens of requests that do not exist, so that they cannot be guessed. */
  unknownRequest: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** What strangers send through requests. */
  startSending: [{ by: "address", maxCalls: STARTS_PER_HOUR, windowMs: HOUR_MS }],
  changeRequest: [{ by: "account", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Passwords of links. A right one is given back, so that a whole office may unlock a link from one address. */
  unlock: [{ by: "linkAndAddress", maxCalls: 5, windowMs: 5 * MINUTE_MS, thenEveryMs: MINUTE_MS }],
  /** Asked after `unlock`, so that what that refuses does not use this up. */
  unlockAny: [{ by: "address", maxCalls: 20, windowMs: 15 * MINUTE_MS }],
  /**
   * Beyond it, the owner is mailed that somebody is guessing. Nobody is refused, or a stranger could lock others out.
   */
  wrongLinkPassword: [{ by: "link", maxCalls: 100, windowMs: HOUR_MS }],
  guessingMail: [{ by: "link", maxCalls: 1, windowMs: HOUR_MS }],
  /** Downloads of links with a limit. */
  take: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  /** A password is hashed. */
  changeGuards: [
    { by: "account", maxCalls: 20, windowMs: MINUTE_MS },
    { by: "address", maxCalls: 60, windowMs: MINUTE_MS },
  ],
  /** Up to 1.4 MB each. A sender seals the list anew when files are added, and at the end. */
  putManifest: [
    { by: "account", maxCalls: 60, windowMs: MINUTE_MS },
    { by: "address", maxCalls: 120, windowMs: MINUTE_MS },
  ],
  /** Making a webhook, and changing its address. The owner is mailed about each. */
  pointWebhook: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  changeWebhook: [{ by: "account", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Pings, and deliveries that are sent again. */
  sendWebhook: [{ by: "account", maxCalls: 10, windowMs: MINUTE_MS }],
  checkout: [{ by: "account", maxCalls: 5, windowMs: MINUTE_MS }],
  portal: [{ by: "account", maxCalls: 5, windowMs: MINUTE_MS }],
  manualUpdate: [{ by: "account", maxCalls: 5, windowMs: MINUTE_MS }],
  /** A page that waits for a payment polls every three seconds. */
  fetchFromStripe: [{ by: "account", maxCalls: 30, windowMs: MINUTE_MS }],
  fixCors: [{ by: "address", maxCalls: 5, windowMs: MINUTE_MS }],
  health: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  /** Counts by the name that was entered (`account`), because it may be tried from many addresses. */
  adminLogin: [
    { by: "address", maxCalls: 5, windowMs: 15 * MINUTE_MS },
    { by: "account", maxCalls: 10, windowMs: 15 * MINUTE_MS, thenEveryMs: 30 * SECOND_MS },
  ],
  /** Beyond it, an administrator is mailed about wrong passwords, or wrong codes. A right one forgets all of them. */
  wrongAdminPassword: [{ by: "account", maxCalls: WRONG_UNTOLD, windowMs: 30 * DAY_MS }],
  wrongAdminCode: [{ by: "account", maxCalls: WRONG_UNTOLD, windowMs: 30 * DAY_MS }],
  adminGuessingMail: [{ by: "account", maxCalls: 1, windowMs: DAY_MS }],
  /** Codes of the administrator of the settings, who has no account that counts wrong ones. Right ones are given back. */
  configuredCode: [{ by: "account", maxCalls: 100, windowMs: 30 * DAY_MS, thenEveryMs: HOUR_MS }],
  report: [{ by: "address", maxCalls: 3, windowMs: HOUR_MS }],
  contact: [{ by: "address", maxCalls: 3, windowMs: HOUR_MS }],
  testMail: [{ by: "address", maxCalls: 3, windowMs: HOUR_MS }],
} as const satisfies Record<string, readonly RateLimitRule[]>;

export type RateLimitedCall = keyof typeof CALL_LIMITS;

/** Uploads of a key that have the same label count as one. */
export function maxUnfinishedUploads(plan: PlanId): number {
  return isFree(plan) ? 5 : 20;
}

/** How many unfinished uploads an account may have, also where their labels are the same. */
export const MAX_UNFINISHED_IN_ALL = 100;

/** A socket that sends more is closed. */
export const SENDER_MESSAGES_PER_SECOND = 10;

/** Limits on open sockets (decision 019). */
export const SOCKETS_PER_ACCOUNT = 25;
export const SOCKETS_PER_IP = 20;
export const SOCKETS_PER_UPLOAD = 2000;
/** How many open pages of one account may hear who is downloading. */
export const SOCKETS_PER_FEED = 5;

/**
 * Times are epoch milliseconds, oldest first. Returns the calls to store; a wait of 0 means the call is allowed.
 * @param count as how many calls it counts, at most `maxCalls`
 */
export function decideRateLimit(
  rule: RateLimitRule,
  calls: readonly number[],
  now: number,
  count = 1,
): { calls: number[]; waitMs: number } {
  const recent = calls.filter((at) => at > now - rule.windowMs);
  const counted = Array.from({ length: count }, () => now);
  if (recent.length + count <= rule.maxCalls) return { calls: [...recent, ...counted], waitMs: 0 };
  const windowEndsAt = (recent.at(count - 1 - rule.maxCalls) ?? now) + rule.windowMs;
  const nextDelayedAt = rule.thenEveryMs === undefined ? Infinity : (recent.at(-1) ?? now) + rule.thenEveryMs;
  const waitMs = Math.min(windowEndsAt, nextDelayedAt) - now;
  // Stores no more calls than the rule compares with, so that the list cannot grow.
  return waitMs <= 0 ? { calls: [...recent, now].slice(-rule.maxCalls), waitMs: 0 } : { calls: recent, waitMs };
}

/** @returns the calls to store once the last `count` of them are not to count */
export function giveBackCalls(calls: readonly number[], count: number): number[] {
  return calls.slice(0, -count);
}
