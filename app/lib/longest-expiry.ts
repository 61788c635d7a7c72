import { inSentence } from "#domain/expiry.ts";
import type { Plan } from "#domain/plans.ts";
import type { Translate } from "#messages/translate.ts";

/** A plan's longest expiration, worded for the middle of a sentence. */
export function longestExpiryIn(t: Translate<"expirations">, { limits }: Plan): string {
  return t(inSentence(limits.longestExpiration));
}
