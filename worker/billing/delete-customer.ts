import type { Services } from "../services.ts";
import { listStripeCustomers } from "../db/billing.ts";
import { logError } from "../log.ts";
import { isMissing, openStripe } from "./stripe.ts";

/**
 * Ends what somebody who is leaving pays for: Stripe deletes the customer, which cancels their subscriptions at once
 * and closes what they have open. Harmless to repeat.
 * @throws Error when Stripe did not do it
 */
export async function deleteCustomer({ db, settings }: Services, userId: string): Promise<void> {
  const customers = await listStripeCustomers(db, userId);
  if (customers.length === 0) return;
  if (settings.billing.mode !== "stripe") {
    logError("billing.customer_left_at_stripe", "no key of Stripe's is set", { userId, customers });
    return;
  }
  const stripe = await openStripe(settings.billing);
  await Promise.all(
    customers.map(async (customer) => {
      try {
        await stripe.customers.del(customer);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }),
  );
}
