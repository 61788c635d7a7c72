import { toIso } from "../../urls.ts";
import { describeCaller } from "../../keys/describe-caller.ts";
import type { Handler } from "./handler.ts";

export const readMe: Handler<"readMe"> = async ({ context, caller, now }) => {
  const { limits, month, monthUsed } = await describeCaller(context.services, caller, now);
  const { id, name, lastFour, scopes, expiresAt, callsPerMinute, monthBytes, largestFileBytes } = caller.key;
  return {
    email: caller.user.email,
    plan: caller.user.planType,
    limits: {
      fileSize: limits.fileSizeBytes,
      monthBytes: limits.monthBytes,
      monthTransfers: limits.monthTransfers,
      entries: limits.entries,
      longestExpiry: limits.longestExpiration,
      stored: limits.storedBytes,
    },
    month: { bytes: month.bytes, transfers: month.transfers, endsAt: month.periodEnd.toISOString() },
    key: {
      id,
      name,
      lastFour,
      scopes,
      expiresAt: toIso(expiresAt),
      limits: { callsPerMinute, monthBytes, largestFileBytes },
      monthUsed,
    },
  };
};
