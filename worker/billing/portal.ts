import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { STRIPE_APP } from "#domain/stripe.ts";
import { isManualCustomer, type CurrentUser, type PortalAnswer } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import { findBilling } from "../db/billing.ts";
import { localizedError } from "../errors/translate-error.ts";
import { findPrice } from "./prices.ts";
import { ownAddress } from "./redirects.ts";
import { askingStripe, openStripe, refusalOf } from "./stripe.ts";
import type { PaidPlan } from "./sync.ts";

/**
 * Opens Stripe's billing portal. A manual customer has none; who never bought anything is sent to the prices.
 * @throws AppError REDIRECT_REFUSED, PORTAL_NOT_CONFIGURED, CUSTOMER_MISSING, STRIPE_UNREACHABLE, BILLING_UNAVAILABLE
 */
export async function openPortal(
  services: Services,
  user: CurrentUser,
  returnUrl: string | undefined,
): Promise<PortalAnswer> {
  const { origin, billing } = services.settings;
  const back = ownAddress(origin, returnUrl, "/dashboard?stripe_portal_return=true");
  const customer = (await findBilling(services.db, user.id))?.stripeCustomerId ?? null;
  if (isManualCustomer(customer)) {
    const message = "Your plan was set by hand and has no billing portal. Convert it to Stripe to manage it there.";
    return { url: null, isFallback: false, message, manualCustomer: true };
  }
  if (customer === null) {
    if (billing.mode === "off") throw new AppError("BILLING_UNAVAILABLE");
    const message = "You have no subscription to manage yet. Choose a plan first.";
    return { url: `${origin}/pricing`, isFallback: true, message, manualCustomer: false };
  }
  return {
    url: await open(services, { customer, return_url: back.href }),
    isFallback: false,
    message: null,
    manualCustomer: false,
  };
}

/**
 * Opens the portal on the change of a paid plan: to another plan, or to its end.
 * @param back where to come back to
 * @throws AppError ALREADY_ON_PLAN, and as `openPortal`
 */
export async function openPlanChange(
  services: Services,
  customer: string,
  current: PaidPlan,
  planType: PlanId,
  back: string,
): Promise<string> {
  if (planType === current.planType) {
    // Who has left the plan may want it back: the portal's first page offers that.
    if (current.cancelAtPeriodEnd) return open(services, { customer, return_url: back });
    throw localizedError("ALREADY_ON_PLAN", "alreadyOn", { plan: planOf(planType).name });
  }
  if (isFree(planType) && current.cancelAtPeriodEnd) return open(services, { customer, return_url: back });
  return open(services, { customer, return_url: back, flow_data: await flowTo(services, current, planType, back) });
}

type FlowData = NonNullable<Stripe.BillingPortal.SessionCreateParams["flow_data"]>;

async function flowTo(services: Services, current: PaidPlan, planType: PlanId, back: string): Promise<FlowData> {
  const after = { after_completion: { type: "redirect" as const, redirect: { return_url: back } } };
  if (isFree(planType)) {
    return { type: "subscription_cancel", subscription_cancel: { subscription: current.id }, ...after };
  }
  const price = await findPrice(services, planType);
  const items = [{ id: current.itemId, price: price.id, quantity: 1 }];
  return {
    type: "subscription_update_confirm",
    subscription_update_confirm: { subscription: current.id, items },
    ...after,
  };
}

async function open({ settings }: Services, params: Stripe.BillingPortal.SessionCreateParams): Promise<string> {
  const stripe = await openStripe(settings.billing);
  return askingStripe(async () => {
    try {
      const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
      const ours = data.find(({ metadata }) => metadata?.app === STRIPE_APP);
      // Without one of ours Stripe takes the account's own, if there is one.
      const session = await stripe.billingPortal.sessions.create({
        ...params,
        ...(ours ? { configuration: ours.id } : {}),
      });
      return session.url;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code === "resource_missing" && refusal.param === "customer") throw new AppError("CUSTOMER_MISSING");
      if (refusal && /configuration|portal settings/i.test(refusal.message))
        throw new AppError("PORTAL_NOT_CONFIGURED");
      throw error;
    }
  });
}
