import {
  DEFAULT_EXPIRATION,
  shortestExpirationOf,
  SHORTEST_END_MS,
  type Expiration,
  type Lifetime,
} from "#domain/expiry.ts";
import { localizedError } from "../errors/translate-error.ts";

/** What a start says about the end of its link: a duration, an exact end, or neither. */
export interface ChosenEnd {
  expiration?: Expiration | undefined;
  expirationChosen?: boolean | undefined;
  /** ISO 8601, with an offset. */
  expiresAt?: string | undefined;
}

/**
 * The lifetime of a new link, which `checkPlan` compares with the plan.
 * @param now epoch milliseconds
 * @throws AppError BAD_REQUEST for a duration and an exact end together, and for an end that is past or too near
 */
export function readLifetime(
  { expiration, expirationChosen = false, expiresAt }: ChosenEnd,
  sizeBytes: number,
  now: number,
): Lifetime {
  if (expiresAt === undefined) {
    return { expiration: expiration ?? DEFAULT_EXPIRATION, expirationChosen, chosenEndMs: null, sizeBytes };
  }
  if (expiration !== undefined) throw localizedError("BAD_REQUEST", "twoEnds", {}, { field: "expiresAt" });
  return { ...readExactEnd(expiresAt, now, now), expirationChosen: true, sizeBytes };
}

/**
 * @param expiresAt ISO 8601 @param from when the link begins to live, for the plan's bound @param now both in epoch
 * milliseconds @throws AppError BAD_REQUEST for an end that is past or too near
 */
export function readExactEnd(expiresAt: string, from: number, now: number) {
  const chosenEndMs = Date.parse(expiresAt);
  if (chosenEndMs < now + SHORTEST_END_MS) {
    throw localizedError("BAD_REQUEST", "endTooNear", {}, { field: "expiresAt" });
  }
  return { expiration: shortestExpirationOf(chosenEndMs - from), chosenEndMs };
}
