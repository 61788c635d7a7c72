import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, type CheckoutAnswer, type CurrentUser } from "#domain/wire.ts";
import { findBilling, saveCustomer, type BillingRow } from "../db/billing.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { setManualPlan } from "./manual.ts";
import { openPlanChange } from "./portal.ts";
import {
  findPrice,
  asInvalidRequest,
  callStripe,
  isResourceMissing,
  openStripe,
  parseRedirect,
  withoutSessionId,
  withSessionId,
} from "./stripe.ts";
import { isLive, listStripePlans, stripeCustomerOf } from "./sync.ts";

export interface CheckoutOptions {
  planType: PlanId;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/**
 * Opens Stripe Checkout for a user without a paid plan, else the billing portal, so that nobody pays twice. In manual
 * billing mode, sets the plan directly.
 * @throws AppError REDIRECT_REFUSED, ALREADY_ON_PLAN, BILLING_UNAVAILABLE, STRIPE_UNREACHABLE, PORTAL_NOT_CONFIGURED
 */
export async function startCheckout(
  services: Services,
  user: CurrentUser,
  options: CheckoutOptions,
  now: number,
): Promise<CheckoutAnswer> {
  const { origin, billing } = services.settings;
  const { planType } = options;
  const success = parseRedirect(origin, options.successUrl, `/dashboard?checkout=success&plan=${planType}`);
  const cancel = parseRedirect(origin, options.cancelUrl, "/pricing?checkout=cancelled");
  if (billing.mode === "off") throw new AppError("BILLING_UNAVAILABLE");
  const row = await requireBilling(services, user);
  if (billing.mode === "manual" || (isFree(planType) && isManualCustomer(row.stripeCustomerId))) {
    const { message } = await setManualPlan(services, user.id, planType, false, now);
    return { url: withoutSessionId(success), message };
  }
  const customer = stripeCustomerOf(row);
  if (customer !== null) await expireOpenCheckouts(services, customer);
  const current = customer === null ? undefined : (await listStripePlans(services, customer)).find(isLive);
  if (current && customer !== null) {
    return { url: await openPlanChange(services, customer, current, planType, withoutSessionId(success)) };
  }
  if (isFree(planType)) {
    throw localizedError("ALREADY_ON_PLAN", "alreadyOn", { plan: planOf(planType).name });
  }
  return createCheckout(services, row, planType, { success: withSessionId(success), cancel: cancel.href });
}

/**
 * Lets a manual customer pay for the current plan at Stripe.
 * @throws AppError BILLING_UNAVAILABLE, ALREADY_ON_PLAN if the user is not a manual customer, STRIPE_UNREACHABLE
 */
export async function convertToStripe(services: Services, user: CurrentUser, now: number): Promise<{ url: string }> {
  if (services.settings.billing.mode !== "stripe") {
    throw localizedError("BILLING_UNAVAILABLE", "noPayments", {});
  }
  const row = await requireBilling(services, user);
  if (!isManualCustomer(row.stripeCustomerId)) {
    throw localizedError("ALREADY_ON_PLAN", "alreadyAtStripe", {});
  }
  if (isFree(row.planType)) {
    throw localizedError("ALREADY_ON_PLAN", "noPaidPlan", {});
  }
  return startCheckout(services, user, { planType: row.planType }, now);
}

/** @throws AppError UNAUTHORIZED if the account was deleted */
async function requireBilling({ db }: Services, user: CurrentUser): Promise<BillingRow> {
  const row = await findBilling(db, user.id);
  if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return row;
}

/** Expires a customer's open checkouts in other tabs, because only one checkout may be paid. */
async function expireOpenCheckouts({ settings }: Services, customer: string): Promise<void> {
  const stripe = await openStripe(settings.billing);
  await callStripe(async () => {
    try {
      const { data } = await stripe.checkout.sessions.list({ customer, status: "open", limit: 100 });
      await Promise.all(data.map(({ id }) => stripe.checkout.sessions.expire(id)));
    } catch (error) {
      // A checkout that was just paid cannot expire. The next `listStripePlans` finds the subscription of that
      // checkout.
      if (asInvalidRequest(error) === null) throw error;
    }
  });
}

async function createCheckout(
  services: Services,
  row: BillingRow,
  planType: PlanId,
  urls: { success: string; cancel: string },
): Promise<CheckoutAnswer> {
  const { billing } = services.settings;
  const stripe = await openStripe(billing);
  const price = await findPrice(services, planType);
  const createSession = (customer: string) =>
    stripe.checkout.sessions.create({
      mode: "subscription",
      customer,
      client_reference_id: row.userId,
      line_items: [{ price: price.id, quantity: 1 }],
      metadata: { userId: row.userId, planType },
      subscription_data: { metadata: { userId: row.userId, planType } },
      success_url: urls.success,
      cancel_url: urls.cancel,
    });
  const session = await callStripe(async () => {
    const customer = stripeCustomerOf(row);
    try {
      return await createSession(customer ?? (await createCustomer(services, stripe, row, null)));
    } catch (error) {
      // The customer was deleted at Stripe, so create a new customer.
      if (customer === null || !isResourceMissing(error)) throw error;
      return createSession(await createCustomer(services, stripe, row, customer));
    }
  });
  if (session.url === null) throw new AppError("STRIPE_UNREACHABLE");
  const publicKey = billing.stripePublishableKey;
  return { url: session.url, sessionId: session.id, ...(publicKey === null ? {} : { publicKey }) };
}

/**
 * Creates the user's customer at Stripe. Parallel calls return the same customer.
 * @param replaced the id of the user's former customer that was deleted at Stripe
 */
async function createCustomer(
  { db }: Services,
  stripe: Stripe,
  row: BillingRow,
  replaced: string | null,
): Promise<string> {
  const idempotencyKey = await hashToken(`customer:${row.userId}:${row.email}:${replaced ?? ""}`);
  const customer = await stripe.customers.create(
    { email: row.email, metadata: { userId: row.userId } },
    { idempotencyKey },
  );
  const column = isManualCustomer(row.stripeCustomerId) ? "convertingCustomerId" : "stripeCustomerId";
  if (await saveCustomer(db, row.userId, column, customer.id, replaced)) return customer.id;
  const currentRow = await findBilling(db, row.userId);
  const savedCustomer = currentRow && stripeCustomerOf(currentRow);
  if (savedCustomer == null) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return savedCustomer;
}
