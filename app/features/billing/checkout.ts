import { isFree, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, type BillingMode, type CheckoutAnswer, type CurrentPlan } from "#domain/wire.ts";
import { billingApi } from "./billing-api.ts";
import { saveCheckoutAttempt } from "./checkout-attempt.ts";

/**
 * Stores the plan and requests the URL of the checkout or billing portal.
 * @throws ApiError; TypeError if the network fails
 */
export function startCheckout(planType: PlanId, current: CurrentPlan): Promise<CheckoutAnswer> {
  saveCheckoutAttempt(planType);
  // A customer with a paid subscription changes it in the billing portal, and may return without a change.
  const isPaying = current.hasSubscription && !isManualCustomer(current.stripeCustomerId);
  const returnParam = isPaying ? "stripe_portal_return=true" : "checkout=success";
  return billingApi.checkout({
    planType,
    successUrl: `${location.origin}/dashboard?${returnParam}&plan=${planType}`,
    cancelUrl: `${location.origin}/pricing?checkout=cancelled`,
    mode: "subscription",
  });
}

/** Whether the plan changes here, without a payment or the billing portal. */
export function isChangedWithoutPortal(planType: PlanId, current: CurrentPlan, billing: BillingMode): boolean {
  return billing === "manual" || (isFree(planType) && isManualCustomer(current.stripeCustomerId));
}

/**
 * Sets the plan without a payment.
 * @throws ApiError; TypeError if the network fails
 */
export function setPlan(planType: PlanId, atPeriodEnd: boolean): ReturnType<typeof billingApi.manualUpdate> {
  return billingApi.manualUpdate({
    planType,
    atPeriodEnd,
    sessionId: null,
    isProduction: import.meta.env.PROD,
    redirectStatus: null,
    checkoutParam: null,
    referrer: document.referrer,
  });
}
