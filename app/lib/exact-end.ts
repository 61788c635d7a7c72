import { endsAt, SHORTEST_END_MS } from "#domain/expiry.ts";
import { limitFor, type PlanId } from "#domain/plans.ts";
import { DAY_MS, MINUTE_MS } from "#domain/units.ts";

export type EndProblem = "missing" | "tooNear" | "tooFar";

/**
 * Checks an exact end as the server does. @param end the value of a `datetime-local` field; "" while it is not complete
 * @param from when the link begins to live @param now both in epoch milliseconds
 */
export function findEndProblem(end: string, plan: PlanId, now: number, from = now): EndProblem | null {
  const atMs = new Date(end).getTime();
  if (Number.isNaN(atMs)) return "missing";
  if (atMs < now + SHORTEST_END_MS) return "tooNear";
  const latest = latestEnd(plan, from);
  return latest !== null && atMs > latest ? "tooFar" : null;
}

/** @returns the latest end that the plan allows, in epoch milliseconds; null for any */
export function latestEnd(plan: PlanId, from: number): number | null {
  return endsAt(limitFor(plan).longestExpiration, from);
}

/** The end that the field has at first: 18:00 of the next day, or earlier if the plan allows no more. */
export function suggestEnd(plan: PlanId, now: number, from = now): string {
  const evening = new Date(now + DAY_MS);
  evening.setHours(18, 0, 0, 0);
  return toField(Math.min(evening.getTime(), latestEnd(plan, from) ?? Infinity));
}

/** @param atMs epoch milliseconds @returns the whole minute before, as a `datetime-local` field has it, in local time */
export function toField(atMs: number): string {
  const minute = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return new Date(minute - new Date(minute).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
