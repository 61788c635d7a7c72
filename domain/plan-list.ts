import { EXPIRATIONS, expirationLabel } from "./expiry.ts";
import { allows, PLANS, type Plan, type PlanLimits } from "./plans.ts";
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
  return PLANS.map((plan, index) => ({
    id: plan.id,
    name: plan.name,
    description: plan.description,
    price: plan.priceUsdCents / 100,
    limits: listedLimits(plan.limits),
    features: featuresOf(plan, index),
  }));
}

/** What a plan has besides the limits that stand on its card: what every plan has, or what it adds to the one below. */
function featuresOf(plan: Plan, index: number): string[] {
  const below = PLANS[index - 1];
  const { storedBytes } = plan.limits;
  return [
    ...(below ? [`Everything in ${below.name}`, `Links that last ${longerThan(below, plan)}`] : EVERY_PLAN),
    ...(storedBytes === null ? [] : [`Up to ${formatBytes(storedBytes)} stored at once`]),
    ...plan.extras.filter((extra) => !below?.extras.includes(extra)),
  ];
}

const OR = new Intl.ListFormat("en-US", { type: "disjunction" });

/** The expiries that a plan has and the one below has not. */
function longerThan(below: Plan, plan: Plan): string {
  const opened = EXPIRATIONS.filter((expiration) => allows(plan.id, expiration) && !allows(below.id, expiration));
  return OR.format(opened.map((expiration) => (expiration === "never" ? "forever" : expirationLabel(expiration))));
}

const EVERY_PLAN = [
  "A link that works from the first byte",
  "Uploads that go on after a broken connection",
  "Gone to the second when time is up",
];
