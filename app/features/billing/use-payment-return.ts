import { useSearchParams } from "@remix-run/react";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isFree, planOf } from "#domain/plans.ts";
import { SECOND_MS } from "#domain/units.ts";
import { isManualCustomer, type CurrentPlan } from "#domain/wire.ts";
import { api } from "#app/lib/api.ts";
import { toast } from "#app/ui/toast.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { browserTranslator } from "#app/lib/i18n/messages.ts";
import { pause } from "#app/lib/pause.ts";
import { forgetCheckoutAttempt, readCheckoutAttempt } from "./checkout-attempt.ts";
import { refreshPlan, showPlan } from "./current-plan.ts";
import { isPaymentReturn, readPaymentReturn, withoutPaymentReturn, type PaymentReturn } from "./payment-return.ts";
import { reportRefreshIssue } from "./refresh-plan.ts";

/** After a payment the plan is asked for so often, each after that wait (specification 1 section 9). */
const POLL_MS = 3 * SECOND_MS;
const ATTEMPTS = 5;
/** A notice that the next one is to replace. */
const UNTIL_REPLACED_MS = ATTEMPTS * POLL_MS + 5 * SECOND_MS;
const FAILURE_SHOWN_MS = 15 * SECOND_MS;

interface Arrival {
  returned: PaymentReturn;
  queries: QueryClient;
  signal: AbortSignal;
}

/** Handles how somebody comes back from a payment, once, and clears the address. */
export function usePaymentReturn(): { hasReturned: boolean; awaitingPlan: boolean } {
  const [search, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const [returned] = useState(() => readPaymentReturn(search));
  const [awaitingPlan, setAwaitingPlan] = useState(returned?.kind === "paid");

  useEffect(() => {
    if (isPaymentReturn(search)) setSearch(withoutPaymentReturn, { replace: true, preventScrollReset: true });
  }, [search, setSearch]);

  useEffect(() => {
    if (!returned) return;
    const leaving = new AbortController();
    const arrival = { returned, queries, signal: leaving.signal };
    void arrive(arrival).then(() => {
      if (!leaving.signal.aborted) setAwaitingPlan(false);
    });
    return () => {
      leaving.abort();
    };
  }, [returned, queries]);

  return { hasReturned: returned !== null, awaitingPlan };
}

/** Never rejects: what goes wrong is said, unless the page was left. */
async function arrive(arrival: Arrival): Promise<void> {
  const t = browserTranslator("billing");
  try {
    switch (arrival.returned.kind) {
      case "paid":
        await awaitPlan(arrival);
        break;
      case "portal":
        await comeFromPortal(arrival);
        break;
      case "failed":
        toast({
          title: t("paymentFailed"),
          description: t("paymentFailedText"),
          tone: "bad",
          durationMs: FAILURE_SHOWN_MS,
          action: { label: t("backToPlans"), to: "/pricing" },
        });
        break;
      case "canceled":
        reportCanceled();
    }
  } catch (error) {
    if (!arrival.signal.aborted) reportRefreshIssue(error);
  }
}

/** Says plainly that nothing was bought. */
export function reportCanceled(): void {
  const t = browserTranslator("billing");
  toast({ title: t("checkoutCanceled"), description: t("nothingCharged") });
}

async function comeFromPortal({ queries, signal }: Arrival): Promise<void> {
  const plan = await refreshPlan(queries, signal);
  const t = browserTranslator("billing");
  const words = plan.subscription.cancelAtPeriodEnd ? "onPlanEnding" : "onPlan";
  toast({ title: t("refreshed"), description: t(words, { plan: plan.planName }) });
}

async function awaitPlan(arrival: Arrival): Promise<void> {
  const t = browserTranslator("billing");
  toast({
    title: t("paymentSuccessful"),
    description: t("paymentSuccessfulText"),
    durationMs: UNTIL_REPLACED_MS,
  });
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await pause(POLL_MS, arrival.signal);
    // An answer that did not come is one that says nothing yet.
    const plan = await refreshPlan(arrival.queries, arrival.signal).catch(() => null);
    arrival.signal.throwIfAborted();
    if (plan && isActivated(plan, arrival.returned)) {
      reportActivated(t("onPlanNow", { plan: plan.planName }));
      return;
    }
    toast({
      title: t("waiting"),
      description: t("beingConfirmed"),
      durationMs: UNTIL_REPLACED_MS,
    });
  }
  await requestUpdate(arrival);
}

function isActivated(plan: CurrentPlan, { plan: wanted, sessionId }: PaymentReturn): boolean {
  // Who turns a manual plan into a paid one is on it already: it is the customer that changes.
  if (sessionId !== null && isManualCustomer(plan.stripeCustomerId)) return false;
  return wanted === null ? !isFree(plan.planType) : plan.planType === wanted;
}

/** What was paid for is not there: the server is asked to look for it (specification 1 section 4). */
async function requestUpdate({ returned, queries, signal }: Arrival): Promise<void> {
  const t = browserTranslator("billing");
  const wanted = readCheckoutAttempt() ?? "professional";
  try {
    const { planType } = await api.manualUpdate({
      planType: wanted,
      sessionId: returned.sessionId,
      atPeriodEnd: false,
      isProduction: import.meta.env.PROD,
      redirectStatus: returned.redirectStatus,
      checkoutParam: returned.checkout,
      referrer: document.referrer,
    });
    signal.throwIfAborted();
    showPlan(queries, await api.currentPlan());
    reportActivated(t(planType === wanted ? "onPlanNow" : "onPlanElse", { plan: planOf(planType).name }));
  } catch (error) {
    if (signal.aborted) return;
    toast({
      title: t("waiting"),
      description: messageOf(error, t("notActiveYet")),
      tone: "bad",
      durationMs: FAILURE_SHOWN_MS,
    });
  }
}

function reportActivated(description: string): void {
  forgetCheckoutAttempt();
  toast({ title: browserTranslator("billing")("activated"), description });
}
