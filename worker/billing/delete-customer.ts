import type { Services } from "../services.ts";
import { listStripeCustomers } from "../db/billing.ts";
import { logError } from "../log.ts";
import { isResourceMissing, openStripe } from "./stripe.ts";

/** Stripe cancels the subscriptions too. Idempotent. @throws Error if a call to Stripe fails */
export async function deleteCustomer({ db, settings }: Services, userId: string): Promise<void> {
  const customers = await listStripeCustomers(db, userId);
  if (customers.length === 0) return;
  if (settings.billing.mode !== "stripe") {
    logError("billing.customer_left_at_stripe", "no Stripe key is configured", { userId, customers });
    return;
  }
  const stripe = await openStripe(settings.billing);
  await Promise.all(
    customers.map(async (customer) => {
      try {
        await stripe.customers.del(customer);
      } catch (error) {
        if (!isResourceMissing(error)) throw error;
      }
    }),
  );
}
