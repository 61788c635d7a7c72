import type Stripe from "stripe";
import { WEBHOOK_EVENTS } from "#domain/stripe.ts";
import type { Services } from "../services.ts";
import { findEventCustomer } from "../db/billing.ts";
import { readEvent } from "./stripe.ts";
import { syncPlan } from "./sync.ts";

/**
 * Syncs the customer's plan with Stripe, so events may arrive twice, late and out of order. Records the event in
 * the same transaction; after an error Stripe delivers it again.
 * @param body the unchanged request body @throws AppError SIGNATURE_INVALID, STRIPE_UNREACHABLE
 */
export async function handleEvent(services: Services, body: string, signature: string): Promise<void> {
  const event = await readEvent(services.settings.billing, body, signature);
  const customer = customerOf(event);
  if (customer === null) return;
  const { handled, row } = await findEventCustomer(services.db, event.id, customer);
  // An unknown customer may belong to another product or to a deleted account.
  if (handled || !row) return;
  await syncPlan(services, row, { id: event.id, type: event.type });
}

/** Null if the event does not concern plans. */
function customerOf(event: Stripe.Event): string | null {
  if (!WEBHOOK_EVENTS.some((type) => type === event.type)) return null;
  const object: { object?: string; id?: string; customer?: string | { id: string } | null } = event.data.object;
  if (object.object === "customer") return object.id ?? null;
  return typeof object.customer === "object" ? (object.customer?.id ?? null) : (object.customer ?? null);
}
