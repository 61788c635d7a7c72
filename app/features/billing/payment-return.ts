import { useSearchParams } from "@remix-run/react";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, call } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { browserTranslator } from "#app/lib/i18n/messages.ts";
import { toast } from "#app/ui/toast.ts";
import { planOf, isFree, type PlanId } from "#domain/plans.ts";
import { SECOND_MS } from "#domain/units.ts";
import { isManualCustomer, type CurrentPlan } from "#domain/wire.ts";
import { pause } from "#engine/timing.ts";
import { forgetCheckoutAttempt, readCheckoutAttempt, parsePlanId } from "./checkout-attempt.ts";
import { refreshPlan, setCachedPlan, showRefreshError } from "./current-plan.ts";

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

interface PaymentReturn {
  kind: "paid" | "failed" | "canceled" | "portal";
  plan: PlanId | null;
  sessionId: string | null;
  redirectStatus: string | null;
  checkout: string | null;
}

export function hasPaymentParams(search: URLSearchParams): boolean {
  return RETURN_PARAMS.some((name) => search.has(name));
}

/** @returns null if the URL is not a return from a payment or from the billing portal */
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

/**
 * Whether the account has the plan that the URL says was paid for. If the URL names no plan: whether the account has
 * any plan but Free (decision 014).
 */
export function isActivated(
  { planType, stripeCustomerId }: Pick<CurrentPlan, "planType" | "stripeCustomerId">,
  { plan: requestedPlan, sessionId }: Pick<PaymentReturn, "plan" | "sessionId">,
): boolean {
  // A manual customer who starts to pay through Stripe keeps the plan; only the customer ID changes.
  if (sessionId !== null && isManualCustomer(stripeCustomerId)) return false;
  return requestedPlan === null ? !isFree(planType) : planType === requestedPlan;
}

export function removePaymentParams(search: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(search);
  for (const name of RETURN_PARAMS) rest.delete(name);
  return rest;
}

/** After a payment the page asks for the plan every `POLL_MS`, at most `MAX_ATTEMPTS` times (decision 024). */
const POLL_MS = 3 * SECOND_MS;
const MAX_ATTEMPTS = 5;
/** The toast "waiting for the plan" lasts longer than the polling, and the next toast replaces it. */
const PENDING_TOAST_MS = MAX_ATTEMPTS * POLL_MS + 5 * SECOND_MS;
const ERROR_TOAST_MS = 15 * SECOND_MS;

interface ReturnContext {
  paymentReturn: PaymentReturn;
  queries: QueryClient;
  signal: AbortSignal;
}

/** Handles the return from a payment once per page load, and removes the payment's query parameters from the URL. */
export function usePaymentReturn(): { hasReturned: boolean; awaitingPlan: boolean } {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const [paymentReturn] = useState(() => parsePaymentReturn(search));
  const [awaitingPlan, setAwaitingPlan] = useState(paymentReturn?.kind === "paid");

  useEffect(() => {
    if (hasPaymentParams(search)) setSearch(removePaymentParams, { replace: true, preventScrollReset: true });
  }, [search, setSearch]);

  useEffect(() => {
    if (!paymentReturn) return;
    const controller = new AbortController();
    const context = { paymentReturn, queries, signal: controller.signal };
    void handleReturn(context).then(() => {
      if (!controller.signal.aborted) setAwaitingPlan(false);
    });
    return () => controller.abort();
  }, [paymentReturn, queries]);

  return { hasReturned: paymentReturn !== null, awaitingPlan };
}

/** Handles a return from a payment. Never rejects. Shows a toast after an error, unless the user has left the page. */
async function handleReturn(context: ReturnContext): Promise<void> {
  const t = browserTranslator("billing");
  try {
    switch (context.paymentReturn.kind) {
      case "paid":
        await pollForPlan(context);
        break;
      case "portal":
        await handlePortalReturn(context);
        break;
      case "failed":
        toast({
          title: t("paymentFailed"),
          description: t("paymentFailedText"),
          tone: "bad",
          durationMs: ERROR_TOAST_MS,
          action: { label: t("backToPlans"), to: "/pricing" },
        });
        break;
      case "canceled":
        showCanceledToast();
    }
  } catch (error) {
    if (!context.signal.aborted) showRefreshError(error);
  }
}

export function showCanceledToast(): void {
  const t = browserTranslator("billing");
  toast({ title: t("checkoutCanceled"), description: t("nothingCharged") });
}

async function handlePortalReturn({ queries, signal }: ReturnContext): Promise<void> {
  const plan = await refreshPlan(queries, signal);
  const t = browserTranslator("billing");
  const message = plan.subscription.cancelAtPeriodEnd ? "onPlanEnding" : "onPlan";
  toast({ title: t("refreshed"), description: t(message, { plan: plan.planName }) });
}

async function pollForPlan(context: ReturnContext): Promise<void> {
  const t = browserTranslator("billing");
  toast({ title: t("paymentSuccessful"), description: t("paymentSuccessfulText"), durationMs: PENDING_TOAST_MS });
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await pause(POLL_MS, context.signal);
    const plan = await refreshPlan(context.queries, context.signal).catch(() => null);
    context.signal.throwIfAborted();
    if (plan && isActivated(plan, context.paymentReturn)) {
      showActivatedToast(t("onPlanNow", { plan: plan.planName }));
      return;
    }
    toast({ title: t("waiting"), description: t("beingConfirmed"), durationMs: PENDING_TOAST_MS });
  }
  await requestManualUpdate(context);
}

/** Asks the server to look for the payment, after polling has not found the new plan (decision 024). */
async function requestManualUpdate({ paymentReturn, queries, signal }: ReturnContext): Promise<void> {
  const t = browserTranslator("billing");
  const requestedPlan = readCheckoutAttempt() ?? "professional";
  try {
    const { planType } = await call("POST /api/subscription/manual-update", {
      body: {
        planType: requestedPlan,
        sessionId: paymentReturn.sessionId,
        atPeriodEnd: false,
        isProduction: import.meta.env.PROD,
        redirectStatus: paymentReturn.redirectStatus,
        checkoutParam: paymentReturn.checkout,
        referrer: document.referrer,
      },
    });
    signal.throwIfAborted();
    setCachedPlan(queries, await api.currentPlan());
    showActivatedToast(t(planType === requestedPlan ? "onPlanNow" : "onPlanElse", { plan: planOf(planType).name }));
  } catch (error) {
    if (signal.aborted) return;
    toast({
      title: t("waiting"),
      description: messageOf(error, t("notActiveYet")),
      tone: "bad",
      durationMs: ERROR_TOAST_MS,
    });
  }
}

function showActivatedToast(description: string): void {
  forgetCheckoutAttempt();
  toast({ title: browserTranslator("billing")("activated"), description });
}
