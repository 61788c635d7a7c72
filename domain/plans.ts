import { EXPIRATIONS, expirationLabel, isWithin, type Expiration } from "./expiry.ts";
import { DAY_MS, GIB, MIB, TIB } from "./units.ts";

export const PLAN_IDS = ["free", "professional", "ultimate"] as const;
export type PlanId = (typeof PLAN_IDS)[number];

/** What a plan allows. Sizes are bytes, base 1024; null is unlimited. */
export interface PlanLimits {
  fileSizeBytes: number;
  /** Bytes uploaded in a billing month. */
  monthBytes: number;
  /** Finished uploads in a billing month. */
  monthTransfers: number;
  longestExpiration: Expiration;
  /** Bytes stored at one time. */
  storedBytes: number | null;
}

export interface Plan {
  id: PlanId;
  name: string;
  priceUsdCents: number;
  limits: PlanLimits;
  /** What it has besides its limits (decisions, Plans). */
  extras: readonly Extra[];
}

/** Who pays has a portal; Ultimate's people are answered first (decisions, Plans). */
export type Extra = "billingPortal" | "prioritySupport";

/** Every number a page, a price or a check shows (decisions, Plans). Cheapest first. */
export const PLANS: readonly Plan[] = [
  {
    id: "free",
    name: "Free",
    priceUsdCents: 0,
    limits: {
      fileSizeBytes: 500 * MIB,
      monthBytes: 2 * GIB,
      monthTransfers: 20,
      longestExpiration: "3d",
      storedBytes: null,
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
      longestExpiration: "60d",
      storedBytes: null,
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
      longestExpiration: "never",
      storedBytes: 2 * TIB,
    },
    extras: ["billingPortal", "prioritySupport"],
  },
];

/** The plan of that id. */
export function planOf(id: PlanId): Plan {
  const plan = PLANS.find((candidate) => candidate.id === id);
  if (!plan) throw new Error(`no plan ${id}`);
  return plan;
}

/** What the plan allows. */
export function limitFor(id: PlanId): PlanLimits {
  return planOf(id).limits;
}

/** Whether the plan costs nothing. */
export function isFree(id: PlanId): boolean {
  return planOf(id).priceUsdCents === 0;
}

/** Whether the plan may keep a file that long. */
export function allowsExpiration(id: PlanId, expiration: Expiration): boolean {
  return isWithin(expiration, limitFor(id).longestExpiration);
}

/** What a file that never expires is given from the day that its owner's plan does not keep files forever any more. */
export const FOREVER_GRACE_MS = 30 * DAY_MS;

/** The cheapest plan that may keep a file that long. */
export function planThatAllows(expiration: Expiration): Plan {
  const plan = PLANS.find((candidate) => allowsExpiration(candidate.id, expiration));
  if (!plan) throw new Error(`no plan allows ${expiration}`);
  return plan;
}

/** No plan takes a larger file ("the maximum file size for all subscription plans"). */
export const LARGEST_FILE_BYTES = Math.max(...PLANS.map((plan) => plan.limits.fileSizeBytes));

export interface ExpirationOption {
  value: Expiration;
  label: string;
  /** The plan that opens a locked option; null when the person's own plan allows it. */
  lockedUntil: Plan | null;
}

/** The dropdown's entries for somebody on that plan; a visitor sees free's. */
export function expirationOptions(plan: PlanId): ExpirationOption[] {
  return EXPIRATIONS.map((value) => ({
    value,
    label: expirationLabel(value),
    lockedUntil: allowsExpiration(plan, value) ? null : planThatAllows(value),
  }));
}
