import { AppError } from "#domain/errors.ts";
import { isFree, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, MANUAL_CUSTOMER_PREFIX } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import type { AuditEntry } from "../db/admin-audit.ts";
import { changeBilling, findBilling, type BillingChange, type BillingRow } from "../db/billing.ts";
import { localizedError } from "../errors/translate-error.ts";
import { foreverExpiry, KEEP_PERIOD } from "./plan-change.ts";
import { callStripe, isResourceMissing, openStripe } from "./stripe.ts";
import { isLive, listStripePlans, stripeCustomerOf } from "./sync.ts";

const MAX_ATTEMPTS = 10;

/**
 * Sets a user's plan and cancels their Stripe subscriptions. A paid plan makes the user a manual customer, whose plan
 * Stripe events do not change. Keeps the billing month and its usage.
 * @throws AppError NOT_FOUND if the account was deleted, STRIPE_UNREACHABLE
 */
export async function overridePlan(services: Services, planType: PlanId, entry: AuditEntry): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const row = await findBilling(services.db, entry.target);
    if (!row) throw localizedError("NOT_FOUND", "noSuchUser", {});
    await cancelSubscriptions(services, row);
    if (await changeBilling(services.db, row, overrideChange(services, row, planType, entry), null, entry.at)) return;
  }
  // A parallel call changed the row during each attempt. A later retry helps, as it does when Stripe is unreachable.
  throw new AppError("STRIPE_UNREACHABLE");
}

async function cancelSubscriptions(services: Services, row: BillingRow): Promise<void> {
  const customer = stripeCustomerOf(row);
  if (customer === null || services.settings.billing.mode !== "stripe") return;
  const stripe = await openStripe(services.settings.billing);
  const live = (await listStripePlans(services, customer)).filter(isLive);
  await callStripe(() =>
    Promise.all(
      live.map(async ({ id }) => {
        try {
          await stripe.subscriptions.cancel(id);
        } catch (error) {
          if (!isResourceMissing(error)) throw error;
        }
      }),
    ),
  );
}

function overrideChange(services: Services, row: BillingRow, planType: PlanId, entry: AuditEntry): BillingChange {
  const wasManual = isManualCustomer(row.stripeCustomerId);
  const keepsStripeCustomer = isFree(planType) && !wasManual;
  const manualCustomerId = wasManual ? row.stripeCustomerId : `${MANUAL_CUSTOMER_PREFIX}${crypto.randomUUID()}`;
  const stripeCustomerId = keepsStripeCustomer ? row.stripeCustomerId : manualCustomerId;
  return {
    planType,
    stripeCustomerId,
    convertingCustomerId: keepsStripeCustomer ? row.convertingCustomerId : stripeCustomerOf(row),
    stripeSubscriptionId: null,
    anchor: row.anchor.getTime() === row.signedUpAt.getTime() ? null : row.anchor,
    period: KEEP_PERIOD,
    subscription: {
      planType,
      stripeSubscriptionId: null,
      stripeCustomerId,
      period: { start: row.periodStart.getTime(), end: row.periodEnd.getTime() },
      status: isFree(planType) ? "canceled" : "active",
      cancelAtPeriodEnd: false,
    },
    endForeverFiles: foreverExpiry(services, row, planType, entry.at),
    entry,
  };
}
