import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import type { PlanId } from "#domain/plans.ts";
import { lookupKeyOf } from "#domain/stripe.ts";
import type { Services } from "../services.ts";
import { logError } from "../log.ts";
import { callStripe, openStripe } from "./stripe.ts";

/** `npm run stripe:setup` creates the prices. @throws AppError BILLING_UNAVAILABLE, STRIPE_UNREACHABLE */
export async function findPrice({ settings }: Services, planType: PlanId): Promise<Stripe.Price> {
  const stripe = await openStripe(settings.billing);
  const lookupKey = lookupKeyOf(planType);
  const { data } = await callStripe(() => stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 }));
  const [price] = data;
  if (price) return price;
  logError("billing.price_missing", "run `npm run stripe:setup`", { lookupKey });
  throw new AppError("BILLING_UNAVAILABLE");
}
