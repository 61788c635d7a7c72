import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, type CheckoutAnswer, type CurrentUser } from "#domain/wire.ts";
import { hashToken } from "../accounts/tokens.ts";
import type { Services } from "../services.ts";
import { findBilling, saveCustomer, type BillingRow } from "../db/billing.ts";
import { localizedError } from "../errors/translate-error.ts";
import { setManualPlan } from "./manual.ts";
import { openPlanChange } from "./portal.ts";
import { findPrice } from "./prices.ts";
import { ownAddress, withoutSessionId, withSessionId } from "./redirects.ts";
import { askingStripe, isMissing, openStripe, refusalOf } from "./stripe.ts";
import { isLive, listPaidPlans, stripeCustomerOf } from "./sync.ts";

export interface WantedCheckout {
  planType: PlanId;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/**
 * Opens the way to a plan. Who has none pays at Stripe; who has one changes it in the billing portal, so nobody pays
 * for two. In manual mode the plan is set at once.
 * @param now epoch milliseconds
 * @throws AppError REDIRECT_REFUSED, ALREADY_ON_PLAN, BILLING_UNAVAILABLE, STRIPE_UNREACHABLE, PORTAL_NOT_CONFIGURED
 */
export async function startCheckout(
  services: Services,
  user: CurrentUser,
  wanted: WantedCheckout,
  now: number,
): Promise<CheckoutAnswer> {
  const { origin, billing } = services.settings;
  const { planType } = wanted;
  const success = ownAddress(origin, wanted.successUrl, `/dashboard?checkout=success&plan=${planType}`);
  const cancel = ownAddress(origin, wanted.cancelUrl, "/pricing?checkout=cancelled");
  if (billing.mode === "off") throw new AppError("BILLING_UNAVAILABLE");
  const row = await requireBilling(services, user);
  if (billing.mode === "manual" || (isFree(planType) && isManualCustomer(row.stripeCustomerId))) {
    const { message } = await setManualPlan(services, user.id, planType, false, now);
    return { url: withoutSessionId(success), message };
  }
  const customer = stripeCustomerOf(row);
  if (customer !== null) await closeOpenCheckouts(services, customer);
  const current = customer === null ? undefined : (await listPaidPlans(services, customer)).find(isLive);
  if (current && customer !== null) {
    return { url: await openPlanChange(services, customer, current, planType, withoutSessionId(success)) };
  }
  if (isFree(planType)) {
    throw localizedError("ALREADY_ON_PLAN", "alreadyOn", { plan: planOf(planType).name });
  }
  return openCheckout(services, row, planType, { success: withSessionId(success), cancel: cancel.href });
}

/**
 * Takes a manual customer to Stripe, to pay there for the plan that they have been given.
 * @throws AppError BILLING_UNAVAILABLE, ALREADY_ON_PLAN for who is no manual customer, STRIPE_UNREACHABLE
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

/** @throws AppError UNAUTHORIZED when the person has gone */
async function requireBilling({ db }: Services, user: CurrentUser): Promise<BillingRow> {
  const row = await findBilling(db, user.id);
  if (!row) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return row;
}

/** A checkout left open in another tab could be paid too: one plan, one payment. */
async function closeOpenCheckouts({ settings }: Services, customer: string): Promise<void> {
  const stripe = await openStripe(settings.billing);
  await askingStripe(async () => {
    try {
      const { data } = await stripe.checkout.sessions.list({ customer, status: "open", limit: 100 });
      await Promise.all(data.map(({ id }) => stripe.checkout.sessions.expire(id)));
    } catch (error) {
      // One that was paid in this very moment cannot be closed, and shows as a subscription next.
      if (refusalOf(error) === null) throw error;
    }
  });
}

async function openCheckout(
  services: Services,
  row: BillingRow,
  planType: PlanId,
  addresses: { success: string; cancel: string },
): Promise<CheckoutAnswer> {
  const { billing } = services.settings;
  const stripe = await openStripe(billing);
  const price = await findPrice(services, planType);
  const open = (customer: string) =>
    stripe.checkout.sessions.create({
      mode: "subscription",
      customer,
      client_reference_id: row.userId,
      line_items: [{ price: price.id, quantity: 1 }],
      metadata: { userId: row.userId, planType },
      subscription_data: { metadata: { userId: row.userId, planType } },
      success_url: addresses.success,
      cancel_url: addresses.cancel,
    });
  const session = await askingStripe(async () => {
    const known = stripeCustomerOf(row);
    try {
      return await open(known ?? (await makeCustomer(services, stripe, row, null)));
    } catch (error) {
      // The customer was deleted at Stripe: its person becomes another one.
      if (known === null || !isMissing(error)) throw error;
      return open(await makeCustomer(services, stripe, row, known));
    }
  });
  if (session.url === null) throw new AppError("STRIPE_UNREACHABLE");
  const publicKey = billing.stripePublishableKey;
  return { url: session.url, sessionId: session.id, ...(publicKey === null ? {} : { publicKey }) };
}

/** Makes a person a customer of Stripe's, once: a second call at the same time is answered with the first's. */
async function makeCustomer({ db }: Services, stripe: Stripe, row: BillingRow, former: string | null): Promise<string> {
  const idempotencyKey = await hashToken(`customer:${row.userId}:${row.email}:${former ?? ""}`);
  const customer = await stripe.customers.create(
    { email: row.email, metadata: { userId: row.userId } },
    { idempotencyKey },
  );
  const column = isManualCustomer(row.stripeCustomerId) ? "convertingCustomerId" : "stripeCustomerId";
  if (await saveCustomer(db, row.userId, column, customer.id, former)) return customer.id;
  const now = await findBilling(db, row.userId);
  const kept = now && stripeCustomerOf(now);
  if (kept == null) throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  return kept;
}
