import { expirationLabel } from "./expiry.ts";
import { PLANS, type Plan, type PlanLimits } from "./plans.ts";
import { formatBytes } from "./units.ts";
import type { ListedLimits, ListedPlan } from "./wire/billing.ts";

/** A plan's limits as the wire names them. */
export function listedLimits(limits: PlanLimits): ListedLimits {
  return {
    storage: limits.monthBytes,
    transfers: limits.monthTransfers,
    maxExpiry: limits.longestExpiration,
    fileSize: limits.fileSizeBytes,
    stored: limits.storedBytes,
  };
}

/** Every plan as its card shows it, cheapest first (specification 1 section 3). */
export function listedPlans(): ListedPlan[] {
  return PLANS.map((plan) => ({
    id: plan.id,
    name: plan.name,
    description: plan.description,
    price: plan.priceUsdCents / 100,
    limits: listedLimits(plan.limits),
    features: featuresOf(plan),
  }));
}

function featuresOf({ limits, extras }: Plan): string[] {
  const longest = limits.longestExpiration;
  return [
    `Files up to ${formatBytes(limits.fileSizeBytes)}`,
    `${formatBytes(limits.monthBytes)} of uploads a month`,
    `${limits.monthTransfers.toLocaleString("en-US")} transfers a month`,
    longest === "never" ? "Files kept forever, if you like" : `Files kept up to ${expirationLabel(longest)}`,
    ...(limits.storedBytes === null ? [] : [`Up to ${formatBytes(limits.storedBytes)} stored at once`]),
    ...extras,
  ];
}
