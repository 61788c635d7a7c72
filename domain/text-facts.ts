import { PRODUCT_NAME, PRODUCT_TAGLINE } from "./brand.ts";
import { expirationLabel, inSentence } from "./expiry.ts";
import { PLANS, type Plan } from "./plans.ts";
import { formatBytes } from "./units.ts";

/** How long a plan keeps a file at most, as it stands in an English sentence: "3 days", "forever". */
export function longestExpiry({ limits }: Plan): string {
  const expiration = inSentence(limits.longestExpiration);
  return expiration === "forever" ? expiration : expirationLabel(expiration);
}

/**
 * What a text in the database may name in braces instead of writing it out: `{product}`, `{free.fileSize}` and so on.
 * So every number has one home, the plans' table (decisions, Plans).
 */
export const FACTS: Readonly<Record<string, string>> = {
  product: PRODUCT_NAME,
  tagline: PRODUCT_TAGLINE,
  ...Object.fromEntries(PLANS.flatMap(factsOf)),
};

function factsOf(plan: Plan): [string, string][] {
  return [
    [`${plan.id}.name`, plan.name],
    [`${plan.id}.fileSize`, formatBytes(plan.limits.fileSizeBytes)],
    [`${plan.id}.monthSize`, formatBytes(plan.limits.monthBytes)],
    [`${plan.id}.monthTransfers`, plan.limits.monthTransfers.toLocaleString("en-US")],
    [`${plan.id}.longestExpiry`, longestExpiry(plan)],
  ];
}

/**
 * Writes out the facts that a text names. Braces around anything else stay as they are.
 * @param more facts that only this deployment knows
 */
export function fillFacts(text: string, more: Readonly<Record<string, string>> = {}): string {
  return text.replace(/\{([a-zA-Z]+(?:\.[a-zA-Z]+)?)\}/g, (whole, name: string) => more[name] ?? FACTS[name] ?? whole);
}
