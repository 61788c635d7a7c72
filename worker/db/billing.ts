import { eq } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import type { PlanId } from "#domain/plans.ts";
import type { Database } from "./client.ts";
import { subscriptions, users } from "./schema.ts";

/** A person's plan, month and subscription. */
export interface BillingRow {
  planType: PlanId;
  stripeCustomerId: string | null;
  /** Bytes, and finished or reserved uploads, of the billing month. */
  bytes: number;
  transfers: number;
  periodStart: Date;
  periodEnd: Date;
  /** The subscription's, as Stripe names it; null where there is none. */
  status: string | null;
  cancelAtPeriodEnd: boolean | null;
}

/** @throws AppError UNAUTHORIZED when there is no such person */
export async function getBilling(db: Database, userId: string): Promise<BillingRow> {
  const [row] = await db
    .select({
      planType: users.planType,
      stripeCustomerId: users.stripeCustomerId,
      bytes: users.monthlyUploadTotal,
      transfers: users.monthlyTransferCount,
      periodStart: users.currentPeriodStart,
      periodEnd: users.currentPeriodEnd,
      status: subscriptions.status,
      cancelAtPeriodEnd: subscriptions.cancelAtPeriodEnd,
    })
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
    .where(eq(users.id, userId))
    .limit(1);
  if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return row;
}
