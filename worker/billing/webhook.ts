import type Stripe from "stripe";
import { WEBHOOK_EVENTS } from "#domain/stripe.ts";
import type { Services } from "../services.ts";
import { findEventSubject } from "../db/billing.ts";
import { readEvent } from "./stripe.ts";
import { syncPlan } from "./sync.ts";

/**
 * Takes an event of Stripe's. It only says whose plan to look at: what the plan is, is asked of Stripe, so events may
 * come twice, late and out of order. An event is noted in the transaction that it leads to; a crash before that leaves
 * it to Stripe's next delivery.
 * @param body exactly as it came
 * @throws AppError SIGNATURE_INVALID; STRIPE_UNREACHABLE, and Stripe delivers it again
 */
export async function handleEvent(services: Services, body: string, signature: string): Promise<void> {
  const event = await readEvent(services.settings.billing, body, signature);
  const customer = customerOf(event);
  if (customer === null) return;
  const { handled, row } = await findEventSubject(services.db, event.id, customer);
  // A customer whom nobody here knows may be another product's, or that of somebody who has gone.
  if (handled || !row) return;
  await syncPlan(services, row, { id: event.id, type: event.type });
}

/** Whom an event is about; null for one that says nothing about a plan. */
function customerOf(event: Stripe.Event): string | null {
  if (!WEBHOOK_EVENTS.some((type) => type === event.type)) return null;
  const object: { object?: string; id?: string; customer?: string | { id: string } | null } = event.data.object;
  if (object.object === "customer") return object.id ?? null;
  return typeof object.customer === "object" ? (object.customer?.id ?? null) : (object.customer ?? null);
}
