import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, type CurrentUser, type ManualUpdateAnswer } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { findBilling, type BillingRow } from "../db/billing.ts";
import { setManualPlan } from "./manual.ts";
import { callStripe, isResourceMissing, openStripe } from "./stripe.ts";
import { stripeCustomerOf, syncPlan } from "./sync.ts";

export interface ClaimedPayment {
  planType: PlanId;
  sessionId?: string | null | undefined;
  atPeriodEnd: boolean;
}

/**
 * Applies a plan. With Stripe, ignores the client's claim and applies the plan paid at Stripe (decision 014).
 * @throws AppError PAYMENT_REQUIRED, CHECKOUT_NOT_FOUND, STRIPE_UNREACHABLE, BILLING_UNAVAILABLE
 */
export async function applyPayment(
  services: Services,
  user: CurrentUser,
  claimed: ClaimedPayment,
  now: number,
): Promise<ManualUpdateAnswer> {
  const { mode } = services.settings.billing;
  if (mode === "off") throw new AppError("BILLING_UNAVAILABLE");
  if (mode === "manual") return setManualPlan(services, user.id, claimed.planType, claimed.atPeriodEnd, now);
  const row = await findBilling(services.db, user.id);
  if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  if (isFree(claimed.planType) && isManualCustomer(row.stripeCustomerId) && claimed.sessionId == null) {
    return setManualPlan(services, user.id, claimed.planType, claimed.atPeriodEnd, now);
  }
  if (claimed.sessionId != null) await requirePaidCheckout(services, row, claimed.sessionId);
  const planType = await syncPlan(services, row);
  if (planType === null) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return answer(claimed.planType, planType);
}

function answer(claimed: PlanId, planType: PlanId): ManualUpdateAnswer {
  const { name } = planOf(planType);
  if (isFree(planType) && !isFree(claimed)) throw new AppError("PAYMENT_REQUIRED");
  if (claimed === planType) return { message: `You are now on the ${name} plan.`, planType };
  return { message: `You are on the ${name} plan. To change it, open the billing portal.`, planType };
}

/** @throws AppError CHECKOUT_NOT_FOUND for an unknown or another user's checkout, PAYMENT_REQUIRED for an unpaid one */
async function requirePaidCheckout({ settings }: Services, row: BillingRow, id: string): Promise<void> {
  if (!/^cs_\w+$/.test(id)) throw new AppError("CHECKOUT_NOT_FOUND");
  const stripe = await openStripe(settings.billing);
  const session = await callStripe(async () => {
    try {
      return await stripe.checkout.sessions.retrieve(id);
    } catch (error) {
      if (isResourceMissing(error)) throw new AppError("CHECKOUT_NOT_FOUND");
      throw error;
    }
  });
  if (session.client_reference_id !== row.userId || customerOf(session) !== stripeCustomerOf(row)) {
    throw new AppError("CHECKOUT_NOT_FOUND");
  }
  if (session.status !== "complete" || session.payment_status === "unpaid") throw new AppError("PAYMENT_REQUIRED");
}

function customerOf({ customer }: Stripe.Checkout.Session): string | null {
  return typeof customer === "object" ? (customer?.id ?? null) : customer;
}
