import { KEY_CALLS_PER_MINUTE } from "./api-keys.ts";
import { isFree, type PlanId } from "./plans.ts";
import { STARTS_PER_HOUR } from "./requests/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./units.ts";

export type RateLimitSubject = "address" | "account" | "key" | "link" | "linkAndAddress";

/** A rate limit whose calls a Durable Object counts exactly. */
export interface RateLimitRule {
  by: RateLimitSubject;
  /** Calls allowed in any period of `windowMs`. */
  maxCalls: number;
  windowMs: number;
  /** After the limit, still allows one call per this time, so that nobody can lock another person's account. */
  thenEveryMs?: number;
}

/** The numbers of calls for which `wrangler.toml` has a Rate Limiting binding. */
export type RoughLimit = 60 | 120 | 300 | 900;

/**
 * A rate limit whose calls Cloudflare's Rate Limiting binding counts: free of charge, but in each of Cloudflare's
 * locations by itself, and with some delay. Use it only to keep load off, never against guessing (decision 019).
 */
export interface RoughRule extends RateLimitRule {
  countedBy: "binding";
  maxCalls: RoughLimit;
}

function aMinuteRoughly<By extends RateLimitSubject, Limit extends RoughLimit>(by: By, maxCalls: Limit) {
  return { by, maxCalls, windowMs: MINUTE_MS, countedBy: "binding" } as const;
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
  /** Confirmations, in which a person who is signed in proves who they are. */
  confirm: PASSWORD_TRIES,
  /** Second steps of sign-ins, counted before the account is known. */
  secondStep: [{ by: "address", maxCalls: 30, windowMs: MINUTE_MS }],
  /** Second factors: answers in a sign-in, and the first code of a new authenticator app. */
  secondFactor: [{ by: "account", maxCalls: 10, windowMs: 15 * MINUTE_MS, thenEveryMs: 30 * SECOND_MS }],
  /** Setting up an authenticator app, removing it, and making recovery codes. The owner is mailed about changes. */
  changeFactor: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  /** Passkey challenges, and their answers. */
  passkey: [{ by: "address", maxCalls: 30, windowMs: MINUTE_MS }],
  register: [{ by: "address", maxCalls: 5, windowMs: HOUR_MS }],
  /** Emails that reset a password, verify an address or announce a new address. All three count together. */
  accountMail: [
    { by: "account", maxCalls: 3, windowMs: HOUR_MS },
    { by: "address", maxCalls: 10, windowMs: HOUR_MS },
  ],
  /** Tokens in mails about the account. The limit keeps strangers from guessing tokens. */
  redeemToken: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Mailed links and codes that sign in. */
  mailLink: [
    { by: "account", maxCalls: 3, windowMs: HOUR_MS },
    { by: "address", maxCalls: 10, windowMs: HOUR_MS },
  ],
  /** Mailed codes that confirm a session. `mailLink`, which strangers can use up for any address, counts apart. */
  confirmMail: [{ by: "account", maxCalls: 3, windowMs: HOUR_MS, thenEveryMs: 10 * MINUTE_MS }],
  /** Sign-ins with other providers: starts and returns together. */
  provider: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  startUpload: [{ by: "account", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Calls of `/api/v1`. Calls of a key with a lower limit of its own are counted exactly. */
  v1: [aMinuteRoughly("key", KEY_CALLS_PER_MINUTE), aMinuteRoughly("account", 900)],
  startByKey: [{ by: "account", maxCalls: 60, windowMs: MINUTE_MS }],
  /** Keys that do not work. The limit keeps strangers from guessing keys. */
  refusedKey: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** New API keys. The account's owner is mailed about each new key. */
  makeKey: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  /** Codes that sign a program in. */
  startDevice: [{ by: "address", maxCalls: 10, windowMs: HOUR_MS }],
  /** A waiting program polls twelve times a minute, and ten programs of one address may wait at once. */
  pollDevice: [{ by: "address", maxCalls: 120, windowMs: MINUTE_MS }],
  /** Codes typed to sign in a program. The window is a code's lifetime, so that nobody can guess a code of others. */
  enterDeviceCode: [
    { by: "account", maxCalls: 20, windowMs: 10 * MINUTE_MS },
    { by: "address", maxCalls: 60, windowMs: 10 * MINUTE_MS },
  ],
  /** Mails that send a link to addresses. A call counts once for each address. */
  shareByMail: [{ by: "account", maxCalls: 20, windowMs: HOUR_MS }],
  /** Checked after `shareByMail`. */
  shareByMailInADay: [{ by: "account", maxCalls: 200, windowMs: DAY_MS }],
  /** Visits of unsubscribe pages. POSTs of mail programs are not limited: many people share their IP addresses. */
  unsubscribe: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  anonymousUpload: [{ by: "address", maxCalls: 10, windowMs: DAY_MS }],
  /** Metadata of a download. Fetching the bytes of a file is not limited. */
  downloadInfo: [aMinuteRoughly("address", 60)],
  /** Pages of a transfer's list. */
  listEntries: [aMinuteRoughly("address", 120)],
  /** A transfer's ZIP and ranges of it, whose layout has to be computed. */
  archive: [aMinuteRoughly("address", 300)],
  /** Requests with an unknown download id, on all routes, so that ids cannot be guessed. */
  unknownDownload: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Reads of an upload request by a stranger, before a transfer starts. */
  readRequest: [aMinuteRoughly("address", 60)],
  /** Tokens of requests that do not exist, so that tokens cannot be guessed. */
  unknownRequest: [{ by: "address", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Transfers that strangers start through upload requests. */
  startSending: [{ by: "address", maxCalls: STARTS_PER_HOUR, windowMs: HOUR_MS }],
  changeRequest: [{ by: "account", maxCalls: 20, windowMs: MINUTE_MS }],
  /** Passwords of links. The right password does not count: a whole office may unlock a link from one address. */
  unlock: [{ by: "linkAndAddress", maxCalls: 5, windowMs: 5 * MINUTE_MS, thenEveryMs: MINUTE_MS }],
  /** Checked after `unlock`, so that calls that `unlock` refuses do not count here. */
  unlockAny: [{ by: "address", maxCalls: 20, windowMs: 15 * MINUTE_MS }],
  /** Above this limit, the owner is mailed about guesses. No call is refused, or a stranger could lock others out. */
  wrongLinkPassword: [{ by: "link", maxCalls: 100, windowMs: HOUR_MS }],
  guessingMail: [{ by: "link", maxCalls: 1, windowMs: HOUR_MS }],
  /** Downloads of links with a download limit. */
  take: [{ by: "address", maxCalls: 60, windowMs: MINUTE_MS }],
  /** Changes of a link's protection, for which a password is hashed. */
  changeGuards: [
    { by: "account", maxCalls: 20, windowMs: MINUTE_MS },
    { by: "address", maxCalls: 60, windowMs: MINUTE_MS },
  ],
  /** Encrypted lists of files, up to 1.4 MB each. A sender seals a list anew when files are added, and at the end. */
  putManifest: [
    { by: "account", maxCalls: 60, windowMs: MINUTE_MS },
    { by: "address", maxCalls: 120, windowMs: MINUTE_MS },
  ],
  /** New webhooks, and changes of a webhook's address. The owner is mailed about each such change. */
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
  health: [aMinuteRoughly("address", 60)],
  /** Sign-ins of administrators. `account` is the entered name, because one name may be tried from many addresses. */
  adminLogin: [
    { by: "address", maxCalls: 5, windowMs: 15 * MINUTE_MS },
    { by: "account", maxCalls: 10, windowMs: 15 * MINUTE_MS, thenEveryMs: 30 * SECOND_MS },
  ],
  /** Above these limits, an administrator is mailed about wrong passwords or codes. A right answer resets the count. */
  wrongAdminPassword: [{ by: "account", maxCalls: WRONG_UNTOLD, windowMs: 30 * DAY_MS }],
  wrongAdminCode: [{ by: "account", maxCalls: WRONG_UNTOLD, windowMs: 30 * DAY_MS }],
  adminGuessingMail: [{ by: "account", maxCalls: 1, windowMs: DAY_MS }],
  /** Codes of the settings' administrator, who has no row that counts wrong codes. Right codes do not count. */
  configuredCode: [{ by: "account", maxCalls: 100, windowMs: 30 * DAY_MS, thenEveryMs: HOUR_MS }],
  /** Receipts of reports, to one address: nobody has proved the address. */
  reportReceipt: [{ by: "account", maxCalls: 3, windowMs: DAY_MS }],
  report: [{ by: "address", maxCalls: 3, windowMs: HOUR_MS }],
  contact: [{ by: "address", maxCalls: 3, windowMs: HOUR_MS }],
  testMail: [{ by: "address", maxCalls: 3, windowMs: HOUR_MS }],
} as const satisfies Record<string, readonly (RateLimitRule | RoughRule)[]>;

export type RateLimitedCall = keyof typeof CALL_LIMITS;

/** The most unfinished uploads of an account. Uploads of a key with the same label count as one. */
export function maxUnfinishedUploads(plan: PlanId): number {
  return isFree(plan) ? 5 : 20;
}

/** The most unfinished uploads of an account if each one counts by itself, whatever its label. */
export const MAX_UNFINISHED_IN_ALL = 100;

/** A sender's socket on which more messages arrive in a second is closed. */
export const SENDER_MESSAGES_PER_SECOND = 10;

/** Limits on open sockets (decision 019). */
export const SOCKETS_PER_ACCOUNT = 25;
export const SOCKETS_PER_IP = 20;
export const SOCKETS_PER_UPLOAD = 2000;
/** The number of open pages of one account that may be told who is downloading. */
export const SOCKETS_PER_FEED = 5;

/**
 * @param calls epoch milliseconds, oldest first @param count how many calls this call counts as, at most `maxCalls`
 * @returns the calls to store; a wait of 0 means that the call is allowed
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

/** @returns the calls to store when the last `count` calls are not to count */
export function giveBackCalls(calls: readonly number[], count: number): number[] {
  return calls.slice(0, -count);
}
