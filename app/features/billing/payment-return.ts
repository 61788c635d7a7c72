import type { PlanId } from "#domain/plans.ts";
import { toPlanId } from "./checkout-attempt.ts";

/** What a payment provider, or our own checkout, adds to an address (specification 1 section 2). */
const RETURN_PARAMS = [
  "checkout",
  "success",
  "session_id",
  "payment_intent",
  "payment_intent_client_secret",
  "redirect_status",
  "setup_intent",
  "setup_intent_client_secret",
  "stripe_portal_return",
  "plan",
] as const;

/** How somebody comes back: having paid, having failed to, having turned round, or from the portal. */
export interface PaymentReturn {
  kind: "paid" | "failed" | "canceled" | "portal";
  /** The plan that the address names. */
  plan: PlanId | null;
  sessionId: string | null;
  redirectStatus: string | null;
  checkout: string | null;
}

/** Whether an address carries anything of a payment. */
export function isPaymentReturn(search: URLSearchParams): boolean {
  return RETURN_PARAMS.some((name) => search.has(name));
}

/** Reads how somebody has come back; null when they have not been away. */
export function readPaymentReturn(search: URLSearchParams): PaymentReturn | null {
  const kind = kindOf(search);
  if (kind === null) return null;
  return {
    kind,
    plan: toPlanId(search.get("plan")),
    sessionId: search.get("session_id"),
    redirectStatus: search.get("redirect_status"),
    checkout: search.get("checkout"),
  };
}

function kindOf(search: URLSearchParams): PaymentReturn["kind"] | null {
  const checkout = search.get("checkout");
  if (checkout?.startsWith("cancel") || search.get("success") === "false") return "canceled";
  const status = search.get("redirect_status");
  if (status === "failed" || checkout === "failed") return "failed";
  if (checkout === "success" || search.get("success") === "true") return "paid";
  if (search.has("session_id") || search.has("payment_intent")) return "paid";
  // A card that was only stored pays for nothing.
  if (search.has("stripe_portal_return") || search.has("setup_intent")) return "portal";
  return status === "succeeded" ? "paid" : null;
}

/** The same search without what was handled. */
export function withoutPaymentReturn(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search);
  for (const name of RETURN_PARAMS) rest.delete(name);
  return rest;
}
