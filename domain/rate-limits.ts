import { isFree, type PlanId } from "./plans.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./units.ts";

/** Whose calls a rule counts. */
export type RateLimitSubject = "address" | "account";

export interface RateLimitRule {
  by: RateLimitSubject;
  /** So many calls in any stretch of `windowMs`. */
  most: number;
  windowMs: number;
  /** Beyond them, one call each so often, instead of none: a stranger cannot lock somebody out of their account. */
  thenEveryMs?: number;
}

/** Limits on calls (decisions, Limits on calls). A call is refused when any of its rules is exceeded. */
export const CALL_LIMITS = {
  login: [
    { by: "address", most: 5, windowMs: MINUTE_MS },
    { by: "account", most: 10, windowMs: 15 * MINUTE_MS, thenEveryMs: 30 * SECOND_MS },
  ],
  register: [{ by: "address", most: 5, windowMs: HOUR_MS }],
  /** Reset links and verification mails, which share a mailbox. */
  accountMail: [
    { by: "account", most: 3, windowMs: HOUR_MS },
    { by: "address", most: 10, windowMs: HOUR_MS },
  ],
  /** The links in those mails: what they carry is not found by trying. */
  redeemToken: [{ by: "address", most: 20, windowMs: MINUTE_MS }],
  startUpload: [{ by: "account", most: 20, windowMs: MINUTE_MS }],
  /** Mails that carry a link to somebody who has not asked for it. */
  shareByMail: [{ by: "account", most: 20, windowMs: HOUR_MS }],
  anonymousUpload: [{ by: "address", most: 10, windowMs: DAY_MS }],
  /** What a link leads to, asked by a page or a program. Bytes are not counted. */
  downloadInfo: [{ by: "address", most: 60, windowMs: MINUTE_MS }],
  /** Links that lead nowhere, at whichever of their addresses: nobody finds a file by trying. */
  unknownDownload: [{ by: "address", most: 20, windowMs: MINUTE_MS }],
  checkout: [{ by: "account", most: 5, windowMs: MINUTE_MS }],
  portal: [{ by: "account", most: 5, windowMs: MINUTE_MS }],
  manualUpdate: [{ by: "account", most: 5, windowMs: MINUTE_MS }],
  /** Reading what Stripe has: a page that waits for a payment asks every three seconds. */
  askStripe: [{ by: "account", most: 30, windowMs: MINUTE_MS }],
  fixCors: [{ by: "address", most: 5, windowMs: MINUTE_MS }],
  /** Whether everything answers, asked by a monitor. */
  health: [{ by: "address", most: 60, windowMs: MINUTE_MS }],
  adminLogin: [{ by: "address", most: 5, windowMs: 15 * MINUTE_MS }],
  report: [{ by: "address", most: 3, windowMs: HOUR_MS }],
  contact: [{ by: "address", most: 3, windowMs: HOUR_MS }],
  testMail: [{ by: "address", most: 3, windowMs: HOUR_MS }],
} as const satisfies Record<string, readonly RateLimitRule[]>;

export type RateLimitedCall = keyof typeof CALL_LIMITS;

/** Unfinished uploads that somebody may have at once (decisions, Limits on calls). */
export function maxUnfinishedUploads(plan: PlanId): number {
  return isFree(plan) ? 5 : 20;
}

/** Messages a second that a sender may send on its socket; one more, and it is closed (decisions, Limits on calls). */
export const SENDER_MESSAGES_PER_SECOND = 10;

/** Open sockets (decisions, Limits on calls): of one account, of one visitor's address, and of one upload. */
export const SOCKETS_PER_ACCOUNT = 25;
export const SOCKETS_PER_ADDRESS = 20;
export const SOCKETS_PER_UPLOAD = 2000;

/**
 * Decides one call against one rule.
 * @param calls when the counted calls were, epoch milliseconds, oldest first
 * @param now epoch milliseconds
 * @returns the calls to remember; and how long to wait, 0 when the call may go ahead
 */
export function decideRateLimit(
  rule: RateLimitRule,
  calls: readonly number[],
  now: number,
): { calls: number[]; waitMs: number } {
  const recent = calls.filter((at) => at > now - rule.windowMs);
  if (recent.length < rule.most) return { calls: [...recent, now], waitMs: 0 };
  const freeAt = (recent.at(-rule.most) ?? now) + rule.windowMs;
  const turnAt = rule.thenEveryMs === undefined ? Infinity : (recent.at(-1) ?? now) + rule.thenEveryMs;
  const waitMs = Math.min(freeAt, turnAt) - now;
  // Only as many as the rule compares with are kept, so a flood cannot grow the list.
  return waitMs <= 0 ? { calls: [...recent, now].slice(-rule.most), waitMs: 0 } : { calls: recent, waitMs };
}
