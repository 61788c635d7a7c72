import { EXPIRATIONS, expirationLabel, isWithin, type Expiration } from "./expiry.ts";
import { DAY_MS, GIB, MIB, TIB } from "./units.ts";

export const PLAN_IDS = ["free", "professional", "ultimate"] as const;
export type PlanId = (typeof PLAN_IDS)[number];

export interface PlanLimits {
  /** At most `MAX_FILE_BYTES`, which follows from R2's limit on parts. */
  fileSizeBytes: number;
  monthBytes: number;
  /** Finished uploads in a billing month. */
  monthTransfers: number;
  /** Files and empty folders in one transfer. At most `MAX_ENTRIES`. */
  entries: number;
  longestExpiration: Expiration;
  /** The most bytes stored at the same time. Null means unlimited. */
  storedBytes: number | null;
  /** API keys that work at the same time. */
  apiKeys: number;
  /** Upload requests that are open at the same time. */
  openRequests: number;
  /** Addresses that one link may be mailed to. */
  recipients: number;
}

export interface Plan {
  id: PlanId;
  name: string;
  priceUsdCents: number;
  limits: PlanLimits;
  extras: readonly Extra[];
}

type Extra = "billingPortal" | "prioritySupport";

/** The source of every size and price that a page shows or a check uses (decision 007). Cheapest first. */
export const PLANS: readonly Plan[] = [
  {
    id: "free",
    name: "Free",
    priceUsdCents: 0,
    limits: {
      fileSizeBytes: 500 * MIB,
      monthBytes: 2 * GIB,
      monthTransfers: 20,
      entries: 1000,
      longestExpiration: "3d",
      storedBytes: null,
      apiKeys: 5,
      openRequests: 1,
      recipients: 20,
    },
    extras: [],
  },
  {
    id: "professional",
    name: "Professional",
    priceUsdCents: 999,
    limits: {
      fileSizeBytes: 10 * GIB,
      monthBytes: 100 * GIB,
      monthTransfers: 200,
      entries: 10_000,
      longestExpiration: "60d",
      storedBytes: null,
      apiKeys: 25,
      openRequests: 20,
      recipients: 50,
    },
    extras: ["billingPortal"],
  },
  {
    id: "ultimate",
    name: "Ultimate",
    priceUsdCents: 1999,
    limits: {
      fileSizeBytes: 50 * GIB,
      monthBytes: TIB,
      monthTransfers: 2000,
      entries: 10_000,
      longestExpiration: "never",
      storedBytes: 2 * TIB,
      apiKeys: 25,
      openRequests: 200,
      recipients: 50,
    },
    extras: ["billingPortal", "prioritySupport"],
  },
];

export function planOf(id: PlanId): Plan {
  const plan = PLANS.find((candidate) => candidate.id === id);
  if (!plan) throw new Error(`no plan ${id}`);
  return plan;
}

export function limitFor(id: PlanId): PlanLimits {
  return planOf(id).limits;
}

export function isFree(id: PlanId): boolean {
  return planOf(id).priceUsdCents === 0;
}

export function allowsExpiration(id: PlanId, expiration: Expiration): boolean {
  return isWithin(expiration, limitFor(id).longestExpiration);
}

/** After a downgrade, files that were kept forever expire after this time. */
export const FOREVER_GRACE_MS = 30 * DAY_MS;

export function cheapestPlanAllowing(expiration: Expiration): Plan {
  const plan = PLANS.find((candidate) => allowsExpiration(candidate.id, expiration));
  if (!plan) throw new Error(`no plan allows ${expiration}`);
  return plan;
}

export const LARGEST_FILE_BYTES = Math.max(...PLANS.map((plan) => plan.limits.fileSizeBytes));

/** The most entries of one transfer on any plan. */
export const MOST_ENTRIES = Math.max(...PLANS.map((plan) => plan.limits.entries));

export interface ExpirationOption {
  value: Expiration;
  label: string;
  /** The cheapest plan with this expiration; null when the current plan allows the option. */
  requiredPlan: Plan | null;
}

/** All options of the expiration dropdown. Visitors see the options of the free plan. */
export function expirationOptions(plan: PlanId): ExpirationOption[] {
  return EXPIRATIONS.map((value) => ({
    value,
    label: expirationLabel(value),
    requiredPlan: allowsExpiration(plan, value) ? null : cheapestPlanAllowing(value),
  }));
}
