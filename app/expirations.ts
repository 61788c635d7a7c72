import type { Expiration } from "#domain/expiry.ts";
import type { Plan } from "#domain/plans.ts";
import type { Translate } from "#messages/translate.ts";

/** How long a plan keeps a file at most, as it stands in a sentence. */
export function longestExpiryIn(say: Translate<"expirations">, { limits }: Plan): string {
  return inSentence(say, limits.longestExpiration);
}

/** A choice as it stands in a sentence. */
export function inSentence(say: Translate<"expirations">, expiration: Expiration): string {
  return say(expiration === "never" ? "forever" : expiration);
}
