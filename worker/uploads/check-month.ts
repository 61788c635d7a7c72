import { AppError } from "#domain/errors.ts";
import { limitFor } from "#domain/plans.ts";
import { findCurrentBilling } from "../billing/months.ts";
import { findKeyRoom } from "../db/api-key-months.ts";
import type { Services } from "../services.ts";
import { quotaExceeded } from "./check-plan.ts";
import type { Uploader } from "./uploader.ts";

/**
 * Refuses before the bytes come what the reservation would refuse after them. The reservation decides.
 * @param sizeBytes that will come; 0 if that is not known @param now epoch milliseconds
 * @throws AppError PLAN_LIMIT_EXCEEDED, KEY_LIMIT
 */
export async function checkMonth(
  services: Services,
  { userId, plan, apiKey }: Uploader,
  sizeBytes: number,
  isTransfer: boolean,
  now: number,
): Promise<void> {
  if (userId === null) return;
  const [month, room] = await Promise.all([
    findCurrentBilling(services, userId, now),
    apiKey === null ? null : findKeyRoom(services.db, apiKey.id),
  ]);
  if (room !== null && sizeBytes > room) throw new AppError("KEY_LIMIT");
  const { monthBytes, monthTransfers } = limitFor(plan);
  if (month === null || (month.transfers < monthTransfers && month.bytes + sizeBytes <= monthBytes)) return;
  throw quotaExceeded(plan, sizeBytes, month, isTransfer);
}
