import type { PlanLimits } from "./plans.ts";
import type { ListedLimits } from "./wire/billing.ts";

export function toListedLimits(limits: PlanLimits): ListedLimits {
  return {
    storage: limits.monthBytes,
    transfers: limits.monthTransfers,
    entries: limits.entries,
    maxExpiry: limits.longestExpiration,
    fileSize: limits.fileSizeBytes,
    stored: limits.storedBytes,
  };
}
