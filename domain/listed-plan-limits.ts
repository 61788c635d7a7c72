import type { PlanLimits } from "./plans.ts";
import type { ListedLimits } from "./wire/billing.ts";

export function toListedLimits(limits: PlanLimits): ListedLimits {
  return {
    storage: limits.monthBytes,
    transfers: limits.monthTransfers,
    maxExpiry: limits.longestExpiration,
    fileSize: limits.fileSizeBytes,
    stored: limits.storedBytes,
  };
}
