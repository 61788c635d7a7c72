import { inSentence } from "#domain/expiry.ts";
import type { Plan } from "#domain/plans.ts";
import type { Translate } from "#messages/translate.ts";

/** How long a plan keeps a file at most, as it stands in a sentence. */
export function longestExpiryIn(t: Translate<"expirations">, { limits }: Plan): string {
  return t(inSentence(limits.longestExpiration));
}
