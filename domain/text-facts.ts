import { PRODUCT_NAME, PRODUCT_TAGLINE } from "./brand.ts";
import { expirationLabel, inSentence } from "./expiry.ts";
import { PLANS, type Plan } from "./plans.ts";
import { formatBytes } from "./units.ts";

/** The plan's longest expiry for English sentences: "3 days", "forever". */
export function longestExpiry({ limits }: Plan): string {
  const expiration = inSentence(limits.longestExpiration);
  return expiration === "forever" ? expiration : expirationLabel(expiration);
}

/**
 * Placeholders of texts in the database, such as `{free.fileSize}`, so that no text repeats a number (decision 007).
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
    [`${plan.id}.entries`, plan.limits.entries.toLocaleString("en-US")],
    [`${plan.id}.longestExpiry`, longestExpiry(plan)],
  ];
}

/** Fills placeholders. Unknown ones stay. @param deploymentFacts placeholders with values of the settings */
export function fillFacts(text: string, deploymentFacts: Readonly<Record<string, string>> = {}): string {
  return text.replace(
    /\{([a-zA-Z]+(?:\.[a-zA-Z]+)?)\}/g,
    (placeholder, name: string) => deploymentFacts[name] ?? FACTS[name] ?? placeholder,
  );
}
