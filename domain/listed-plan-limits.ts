import type { PlanLimits } from "./plans.ts";
import type { ListedLimits } from "./wire/billing.ts";

/** Converts a plan's limits to the API's field names. */
export function toListedLimits(limits: PlanLimits): ListedLimits {
  return {
    storage: limits.monthBytes,
    transfers: limits.monthTransfers,
    maxExpiry: limits.longestExpiration,
    fileSize: limits.fileSizeBytes,
    stored: limits.storedBytes,
  };
}
