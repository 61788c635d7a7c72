import { callerNetwork } from "#domain/ip-address.ts";
import type { AppError } from "#domain/errors.ts";
import { CALL_LIMITS, type RateLimitedCall, type RateLimitRule, type RateLimitSubject } from "#domain/rate-limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../services.ts";
import { localizedError } from "../errors/translate-error.ts";

/** Who makes a call: the account is an address or a user's id, whatever the call knows. */
export interface Caller {
  address: string;
  account?: string;
}

/** Until when a counter has refused its subject, epoch milliseconds: before that it would say the same again. */
const refusedUntil = new Map<string, number>();
const REFUSALS_KEPT = 1000;

/**
 * Counts a call against every rule it has.
 * @throws AppError RATE_LIMITED with `retryAfterSeconds`, when one is exceeded: at once where that is known already, so
 * that work done side by side with the asking is not begun
 */
export function enforceRateLimit(
  { settings, limiters }: Services,
  call: RateLimitedCall,
  caller: Caller,
): Promise<void> {
  if (settings.rateLimits === "off") return Promise.resolve();
  const rules: readonly RateLimitRule[] = CALL_LIMITS[call];
  const counters = rules.flatMap((rule) => {
    const subject = subjectOf(caller, rule.by);
    return subject === undefined ? [] : [{ name: `${call}:${rule.by}:${subject}`, rule }];
  });
  const now = Date.now();
  refuseIfWaiting(counters.map(({ name }) => (refusedUntil.get(name) ?? 0) - now));
  return askCounters(limiters, counters);
}

async function askCounters(
  limiters: Services["limiters"],
  counters: { name: string; rule: RateLimitRule }[],
): Promise<void> {
  const waits = await Promise.all(
    counters.map(async ({ name, rule }) => {
      const waitMs = await limiters.get(limiters.idFromName(name)).take(rule);
      if (waitMs > 0) keepRefusal(name, Date.now() + waitMs);
      return waitMs;
    }),
  );
  refuseIfWaiting(waits);
}

function refuseIfWaiting(waits: number[]): void {
  const waitMs = Math.max(0, ...waits);
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / SECOND_MS));
}

function keepRefusal(name: string, until: number): void {
  // Forgetting one costs a call to its counter, no more.
  if (refusedUntil.size >= REFUSALS_KEPT) refusedUntil.clear();
  refusedUntil.set(name, until);
}

function subjectOf(caller: Caller, by: RateLimitSubject): string | undefined {
  return by === "address" ? callerNetwork(caller.address) : caller.account;
}

function tooMany(retryAfterSeconds: number): AppError {
  if (retryAfterSeconds <= 90) {
    return localizedError("RATE_LIMITED", "tooOftenSeconds", { count: retryAfterSeconds }, { retryAfterSeconds });
  }
  const minutes = Math.ceil(retryAfterSeconds / 60);
  if (minutes <= 90)
    return localizedError("RATE_LIMITED", "tooOftenMinutes", { count: minutes }, { retryAfterSeconds });
  const hours = Math.ceil(minutes / 60);
  return localizedError("RATE_LIMITED", "tooOftenHours", { count: hours }, { retryAfterSeconds });
}
