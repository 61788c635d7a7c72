import type { PlanLimits } from "./plans.ts";
import type { ListedLimits } from "./wire/billing.ts";

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
