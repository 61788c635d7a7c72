import { callerOf } from "#domain/address.ts";
import type { AppError } from "#domain/errors.ts";
import { LIMITS, type LimitedCall, type LimitRule, type LimitSubject } from "#domain/limits.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { Services } from "../context.ts";
import { refuse } from "../refusals.ts";

/** Who makes a call: the account is an address or a user's id, whatever the call knows. */
export interface Caller {
  address: string;
  account?: string;
}

/**
 * Counts a call against every rule it has.
 * @throws AppError RATE_LIMITED with `retryAfterSeconds`, when one is exceeded
 */
export async function takeCall({ settings, limiters }: Services, call: LimitedCall, caller: Caller): Promise<void> {
  if (settings.rateLimits === "off") return;
  const rules: readonly LimitRule[] = LIMITS[call];
  const waits = await Promise.all(
    rules.map(async (rule) => {
      const subject = subjectOf(caller, rule.by);
      if (subject === undefined) return 0;
      return await limiters.get(limiters.idFromName(`${call}:${rule.by}:${subject}`)).take(rule);
    }),
  );
  const waitMs = Math.max(...waits);
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / SECOND_MS));
}

function subjectOf(caller: Caller, by: LimitSubject): string | undefined {
  return by === "address" ? callerOf(caller.address) : caller.account;
}

function tooMany(retryAfterSeconds: number): AppError {
  if (retryAfterSeconds <= 90) {
    return refuse("RATE_LIMITED", "tooOftenSeconds", { count: retryAfterSeconds }, { retryAfterSeconds });
  }
  const minutes = Math.ceil(retryAfterSeconds / 60);
  return refuse("RATE_LIMITED", "tooOftenMinutes", { count: minutes }, { retryAfterSeconds });
}
