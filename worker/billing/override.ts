import { AppError } from "#domain/errors.ts";
import { isFree, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, MANUAL_CUSTOMER_PREFIX } from "#domain/wire.ts";
import type { Services } from "../services.ts";
import type { AuditEntry } from "../db/admin-audit.ts";
import { changeBilling, findBilling, type BillingChange, type BillingRow } from "../db/billing.ts";
import { localizedError } from "../errors/translate-error.ts";
import { AS_IT_IS, endingOfForever } from "./plan-change.ts";
import { askingStripe, isMissing, openStripe } from "./stripe.ts";
import { isLive, listPaidPlans, stripeCustomerOf } from "./sync.ts";

const ATTEMPTS = 10;

/**
 * Sets a person's plan in an administrator's name: at once, and over any subscription by card, which is cancelled so
 * that nobody pays for what they do not have. Somebody on a paid plan becomes a manual customer, whom Stripe's later
 * events leave as they are; what they subscribe to from then on counts again. The billing month goes on with what it
 * has taken.
 * @param deed its target is the person
 * @throws AppError NOT_FOUND when the person has gone, STRIPE_UNREACHABLE
 */
export async function overridePlan(services: Services, planType: PlanId, entry: AuditEntry): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await findBilling(services.db, entry.target);
    if (!row) throw localizedError("NOT_FOUND", "noSuchUser", {});
    await endSubscriptions(services, row);
    if (await changeBilling(services.db, row, overriding(services, row, planType, entry), null, entry.at)) return;
  }
  throw new AppError("STRIPE_UNREACHABLE");
}

async function endSubscriptions(services: Services, row: BillingRow): Promise<void> {
  const customer = stripeCustomerOf(row);
  if (customer === null || services.settings.billing.mode !== "stripe") return;
  const stripe = await openStripe(services.settings.billing);
  const live = (await listPaidPlans(services, customer)).filter(isLive);
  await askingStripe(() =>
    Promise.all(
      live.map(async ({ id }) => {
        try {
          await stripe.subscriptions.cancel(id);
        } catch (error) {
          if (!isMissing(error)) throw error;
        }
      }),
    ),
  );
}

function overriding(services: Services, row: BillingRow, planType: PlanId, entry: AuditEntry): BillingChange {
  const byCard = stripeCustomerOf(row);
  const wasManual = isManualCustomer(row.stripeCustomerId);
  const staysAtStripe = isFree(planType) && !wasManual;
  const manualId = wasManual ? row.stripeCustomerId : `${MANUAL_CUSTOMER_PREFIX}${crypto.randomUUID()}`;
  const stripeCustomerId = staysAtStripe ? row.stripeCustomerId : manualId;
  return {
    planType,
    stripeCustomerId,
    convertingCustomerId: staysAtStripe ? row.convertingCustomerId : byCard,
    stripeSubscriptionId: null,
    anchor: row.anchor.getTime() === row.signedUpAt.getTime() ? null : row.anchor,
    period: AS_IT_IS,
    subscription: {
      planType,
      stripeSubscriptionId: null,
      stripeCustomerId,
      period: { start: row.periodStart.getTime(), end: row.periodEnd.getTime() },
      status: isFree(planType) ? "canceled" : "active",
      cancelAtPeriodEnd: false,
    },
    foreverEnds: endingOfForever(services, row, planType, entry.at),
    entry,
  };
}
