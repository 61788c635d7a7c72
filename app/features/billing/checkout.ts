import { isFree, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, type BillingMode, type CheckoutAnswer, type CurrentPlan } from "#domain/wire.ts";
import { api } from "#app/lib/api.ts";
import { saveCheckoutAttempt } from "./checkout-attempt.ts";

/** Opens the way to a plan, and remembers what was wanted. @throws ApiError; TypeError when nothing answered */
export function startCheckout(planType: PlanId, current: CurrentPlan): Promise<CheckoutAnswer> {
  saveCheckoutAttempt(planType);
  // Who pays already changes the plan in the portal, and may come back without having done so.
  const pays = current.hasSubscription && !isManualCustomer(current.stripeCustomerId);
  const outcome = pays ? "stripe_portal_return=true" : "checkout=success";
  return api.checkout({
    planType,
    successUrl: `${location.origin}/dashboard?${outcome}&plan=${planType}`,
    cancelUrl: `${location.origin}/pricing?checkout=cancelled`,
    mode: "subscription",
  });
}

/** Whether a change to a smaller plan is made here, not in the payment provider's portal. */
export function isSetHere(planType: PlanId, current: CurrentPlan, billing: BillingMode): boolean {
  return billing === "manual" || (isFree(planType) && isManualCustomer(current.stripeCustomerId));
}

/** Sets a plan that nothing is paid for. @throws ApiError; TypeError when nothing answered */
export function setPlan(planType: PlanId, atPeriodEnd: boolean): ReturnType<typeof api.manualUpdate> {
  return api.manualUpdate({
    planType,
    atPeriodEnd,
    sessionId: null,
    isProduction: import.meta.env.PROD,
    redirectStatus: null,
    checkoutParam: null,
    referrer: document.referrer,
  });
}
