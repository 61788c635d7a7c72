import { isFree, type PlanId } from "#domain/plans.ts";
import { isManualCustomer, type CurrentPlan } from "#domain/wire.ts";
import { parsePlanId } from "./checkout-attempt.ts";

/** Query parameters that Stripe or our checkout adds to the return URL (decision 024). */
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

export interface PaymentReturn {
  kind: "paid" | "failed" | "canceled" | "portal";
  plan: PlanId | null;
  sessionId: string | null;
  redirectStatus: string | null;
  checkout: string | null;
}

export function hasPaymentParams(search: URLSearchParams): boolean {
  return RETURN_PARAMS.some((name) => search.has(name));
}

/** @returns null if the URL is not a return from a payment */
export function parsePaymentReturn(search: URLSearchParams): PaymentReturn | null {
  const kind = kindOf(search);
  if (kind === null) return null;
  return {
    kind,
    plan: parsePlanId(search.get("plan")),
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
  // A SetupIntent saves a card without a payment.
  if (search.has("stripe_portal_return") || search.has("setup_intent")) return "portal";
  return status === "succeeded" ? "paid" : null;
}

/** Whether a plan is what was paid for: the plan that the URL names, else any but Free (decision 014). */
export function isActivated(
  { planType, stripeCustomerId }: Pick<CurrentPlan, "planType" | "stripeCustomerId">,
  { plan: requestedPlan, sessionId }: Pick<PaymentReturn, "plan" | "sessionId">,
): boolean {
  // A manual customer who starts to pay keeps the plan; only the customer ID changes.
  if (sessionId !== null && isManualCustomer(stripeCustomerId)) return false;
  return requestedPlan === null ? !isFree(planType) : planType === requestedPlan;
}

export function removePaymentParams(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search);
  for (const name of RETURN_PARAMS) rest.delete(name);
  return rest;
}
