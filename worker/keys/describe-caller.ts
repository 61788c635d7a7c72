import { AppError } from "#domain/errors.ts";
import { limitFor, type PlanLimits } from "#domain/plans.ts";
import { findCurrentBilling } from "../billing/months.ts";
import { findKeyUse } from "../db/api-key-months.ts";
import type { BillingRow } from "../db/billing.ts";
import type { Services } from "../services.ts";
import type { KeyCaller } from "./authenticate.ts";

/** The plan of a key's person, and what the month has taken. @throws AppError KEY_INVALID once the account is deleted */
export async function describeCaller(
  services: Services,
  { user, key }: KeyCaller,
  now: number,
): Promise<{ limits: PlanLimits; month: BillingRow; monthUsed: number }> {
  const month = await findCurrentBilling(services, user.id, now);
  if (!month) throw new AppError("KEY_INVALID");
  return { limits: limitFor(month.planType), month, monthUsed: await findKeyUse(services.db, key.id) };
}
