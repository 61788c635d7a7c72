import { limitFor } from "#domain/plans.ts";
import { findCurrentBilling } from "../billing/months.ts";
import type { Services } from "../services.ts";
import { requestRefusal } from "../callers/request-bounds.ts";
import { requireKeyRoom } from "./check-key.ts";
import { quotaExceeded } from "../callers/check-plan.ts";
import type { Uploader } from "../callers/uploader.ts";

/**
 * Refuses before the bytes come what the reservation would refuse after them. The reservation decides.
 * @param sizeBytes that will come; 0 if that is not known @param now epoch milliseconds
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT, KEY_INVALID; for a sender REQUEST_FULL, who hears nothing of the month
 */
export async function checkMonth(
  services: Services,
  uploader: Uploader,
  sizeBytes: number,
  isTransfer: boolean,
  now: number,
): Promise<void> {
  const { userId, plan, apiKey, request } = uploader;
  if (userId === null) return;
  const [month] = await Promise.all([
    findCurrentBilling(services, userId, now),
    requireKeyRoom(services, uploader, apiKey?.id ?? null, sizeBytes, now),
  ]);
  const { monthBytes, monthTransfers } = limitFor(plan);
  if (month === null || (month.transfers < monthTransfers && month.bytes + sizeBytes <= monthBytes)) return;
  if (request !== null) throw await requestRefusal(services, request, sizeBytes, now);
  throw quotaExceeded(plan, sizeBytes, month, isTransfer);
}
