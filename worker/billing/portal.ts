import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { STRIPE_APP } from "#domain/stripe.ts";
import { isManualCustomer, type CurrentUser, type PortalAnswer } from "#domain/wire.ts";
import { findBilling } from "../db/billing.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { findPrice, asInvalidRequest, callStripe, openStripe, parseRedirect } from "./stripe.ts";
import type { StripePlan } from "./sync.ts";

/**
 * Opens Stripe's billing portal. A manual customer gets no URL; a user without a customer gets the pricing page.
 * @throws AppError REDIRECT_REFUSED, PORTAL_NOT_CONFIGURED, CUSTOMER_MISSING, STRIPE_UNREACHABLE, BILLING_UNAVAILABLE
 */
export async function openPortal(
  services: Services,
  user: CurrentUser,
  returnUrl: string | undefined,
): Promise<PortalAnswer> {
  const { origin, billing } = services.settings;
  const back = parseRedirect(origin, returnUrl, "/dashboard?stripe_portal_return=true");
  const customer = (await findBilling(services.db, user.id))?.stripeCustomerId ?? null;
  if (isManualCustomer(customer)) {
    const message = "Your plan was set up manually and has no billing portal. Convert it to Stripe to manage it there.";
    return { url: null, isFallback: false, message, manualCustomer: true };
  }
  if (customer === null) {
    if (billing.mode === "off") throw new AppError("BILLING_UNAVAILABLE");
    const message = "You do not have a subscription yet. Choose a plan first.";
    return { url: `${origin}/pricing`, isFallback: true, message, manualCustomer: false };
  }
  return {
    url: await createPortalSession(services, { customer, return_url: back.href }),
    isFallback: false,
    message: null,
    manualCustomer: false,
  };
}

/**
 * Opens Stripe's billing portal at the page of a plan change or, for "free", of a cancellation.
 * @throws as `openPortal`, and ALREADY_ON_PLAN
 */
export async function openPlanChange(
  services: Services,
  customer: string,
  current: StripePlan,
  planType: PlanId,
  returnUrl: string,
): Promise<string> {
  const params = { customer, return_url: returnUrl };
  if (planType === current.planType) {
    // The portal's first page lets the user resume a cancelled plan.
    if (current.cancelAtPeriodEnd) return createPortalSession(services, params);
    throw localizedError("ALREADY_ON_PLAN", "alreadyOn", { plan: planOf(planType).name });
  }
  if (isFree(planType) && current.cancelAtPeriodEnd) return createPortalSession(services, params);
  const flow = await planChangeFlow(services, current, planType, returnUrl);
  return createPortalSession(services, { ...params, flow_data: flow });
}

type FlowData = NonNullable<Stripe.BillingPortal.SessionCreateParams["flow_data"]>;

async function planChangeFlow(
  services: Services,
  current: StripePlan,
  planType: PlanId,
  returnUrl: string,
): Promise<FlowData> {
  const after = { after_completion: { type: "redirect" as const, redirect: { return_url: returnUrl } } };
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

async function createPortalSession(
  { settings }: Services,
  params: Stripe.BillingPortal.SessionCreateParams,
): Promise<string> {
  const stripe = await openStripe(settings.billing);
  return callStripe(async () => {
    try {
      const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
      const configuration = data.find(({ metadata }) => metadata?.app === STRIPE_APP);
      // If the settings name no `configuration`, Stripe uses the default configuration of the Stripe account.
      const session = await stripe.billingPortal.sessions.create(
        configuration ? { ...params, configuration: configuration.id } : params,
      );
      return session.url;
    } catch (error) {
      const invalidRequest = asInvalidRequest(error);
      if (invalidRequest?.code === "resource_missing" && invalidRequest.param === "customer") {
        throw new AppError("CUSTOMER_MISSING");
      }
      if (invalidRequest && /configuration|portal settings/i.test(invalidRequest.message)) {
        throw new AppError("PORTAL_NOT_CONFIGURED");
      }
      throw error;
    }
  });
}
