import { AppError } from "#domain/errors.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import {
  CALL_LIMITS,
  type RateLimitedCall,
  type RateLimitRule,
  type RateLimitSubject,
  type RoughRule,
} from "#domain/rate-limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";

export interface LimitedCaller {
  ip: string;
  /** The caller's user id or email address. */
  account?: string;
  /** Download id. */
  link?: string;
  /** An API key's id, and the key's own limit. */
  key?: { id: string; callsPerMinute: number };
  /** The number of calls that this call counts as. A call that exceeds the limit is not counted. */
  count?: number;
}

interface Counter {
  name: string;
  rule: RateLimitRule | RoughRule;
}

/** Until when calls are rejected without asking the Durable Object, in epoch milliseconds by counter name. */
const rejectedUntil = new Map<string, number>();
const MAX_CACHED_REJECTIONS = 1000;

/**
 * Counts a call. If the isolate remembers a rejection, throws it synchronously, before parallel work starts.
 * @throws AppError RATE_LIMITED
 */
export function enforceRateLimit(services: Services, call: RateLimitedCall, caller: LimitedCaller): Promise<void> {
  if (services.settings.rateLimits === "off") return Promise.resolve();
  const counters = countersOf(call, caller);
  const now = Date.now();
  throwIfLimited(counters.map(({ name }) => (rejectedUntil.get(name) ?? 0) - now));
  return countCall(services, counters, caller.count);
}

/**
 * Throws a rejection that the isolate remembers, without counting the call, for calls that count only on failure.
 * @throws AppError RATE_LIMITED
 */
export function throwIfRemembered({ settings }: Services, call: RateLimitedCall, caller: LimitedCaller): void {
  if (settings.rateLimits === "off") return;
  const now = Date.now();
  throwIfLimited(countersOf(call, caller).map(({ name }) => (rejectedUntil.get(name) ?? 0) - now));
}

/** Counts a call as `enforceRateLimit` does. @returns whether the call is within the limit */
export async function isWithinRateLimit(
  services: Services,
  call: RateLimitedCall,
  caller: LimitedCaller,
): Promise<boolean> {
  try {
    await enforceRateLimit(services, call, caller);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "RATE_LIMITED") return false;
    throw error;
  }
}

/**
 * Takes back what `enforceRateLimit` has counted for an allowed call, unless a Rate Limiting binding has counted it.
 */
export async function giveBackRateLimit(
  { settings, limiters }: Services,
  call: RateLimitedCall,
  caller: LimitedCaller,
): Promise<void> {
  if (settings.rateLimits === "off") return;
  await Promise.all(
    countersOf(call, caller).map(async ({ name }) => {
      await limiters.get(limiters.idFromName(name)).giveBack(caller.count);
      rejectedUntil.delete(name);
    }),
  );
}

function countersOf(call: RateLimitedCall, caller: LimitedCaller): Counter[] {
  const rules: readonly (RateLimitRule | RoughRule)[] = CALL_LIMITS[call];
  return rules.flatMap((rule) => {
    const subject = subjectOf(caller, rule.by);
    if (subject === undefined) return [];
    return [{ name: `${call}:${rule.by}:${subject}`, rule: withOwnLimit(rule, caller) }];
  });
}

/**
 * The rule for a key's own limit. A Rate Limiting binding has one fixed limit, so a Durable Object counts for a key
 * with a lower limit.
 */
function withOwnLimit(rule: RateLimitRule | RoughRule, { key }: LimitedCaller): RateLimitRule | RoughRule {
  const { by, maxCalls, windowMs } = rule;
  if (by !== "key" || key === undefined || key.callsPerMinute >= maxCalls) return rule;
  return { by, maxCalls: key.callsPerMinute, windowMs };
}

async function countCall(services: Services, counters: Counter[], count?: number): Promise<void> {
  const waitsMs = counters.map(({ name, rule }) =>
    "countedBy" in rule ? countRoughly(services, name, rule) : countExactly(services, name, rule, count),
  );
  throwIfLimited(await Promise.all(waitsMs));
}

/** @returns milliseconds until the next allowed call; 0 if the call is allowed and counted */
async function countExactly(
  { limiters }: Services,
  name: string,
  rule: RateLimitRule,
  count?: number,
): Promise<number> {
  const waitMs = await limiters.get(limiters.idFromName(name)).take(rule, count);
  // A rejection of a call with a `count` is not remembered, because a call with a smaller count may still be allowed.
  if (waitMs > 0 && count === undefined) cacheRejection(name, Date.now() + waitMs);
  return waitMs;
}

/**
 * Counts a call with a Rate Limiting binding. Allows the call if the binding fails or is missing, because these limits
 * only keep load off.
 * @returns milliseconds after which a call is surely allowed, because the binding does not tell when its window ends; 0
 * if the call is allowed
 */
async function countRoughly({ roughLimiters }: Services, name: string, rule: RoughRule): Promise<number> {
  try {
    const { success } = await roughLimiters[rule.maxCalls].limit({ key: name });
    return success ? 0 : rule.windowMs;
  } catch (error) {
    logError("rate_limit.not_counted", error, { callsPerMinute: rule.maxCalls });
    return 0;
  }
}

function throwIfLimited(waitsMs: number[]): void {
  const waitMs = Math.max(0, ...waitsMs);
  if (waitMs > 0) throw rateLimitError(Math.ceil(waitMs / SECOND_MS));
}

function cacheRejection(name: string, until: number): void {
  // Clearing the remembered rejections costs each rejected caller one call to its counter.
  if (rejectedUntil.size >= MAX_CACHED_REJECTIONS) rejectedUntil.clear();
  rejectedUntil.set(name, until);
}

function subjectOf(caller: LimitedCaller, by: RateLimitSubject): string | undefined {
  if (by === "account") return caller.account;
  if (by === "link") return caller.link;
  if (by === "key") return caller.key?.id;
  const network = callerNetwork(caller.ip);
  if (by === "address") return network;
  return caller.link === undefined ? undefined : `${caller.link}:${network}`;
}

function rateLimitError(retryAfterSeconds: number): AppError {
  if (retryAfterSeconds <= 90) {
    return localizedError("RATE_LIMITED", "tooOftenSeconds", { count: retryAfterSeconds }, { retryAfterSeconds });
  }
  const minutes = Math.ceil(retryAfterSeconds / 60);
  if (minutes <= 90)
    return localizedError("RATE_LIMITED", "tooOftenMinutes", { count: minutes }, { retryAfterSeconds });
  const hours = Math.ceil(minutes / 60);
  return localizedError("RATE_LIMITED", "tooOftenHours", { count: hours }, { retryAfterSeconds });
}
