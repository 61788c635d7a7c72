import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { ConfirmDowngrade } from "#app/features/billing/confirm-downgrade.tsx";
import { parsePaymentReturn, removePaymentParams, showCanceledToast } from "#app/features/billing/payment-return.ts";
import { PlanCard, type PlanStatus } from "#app/features/billing/plan-card.tsx";
import { usePlanChoice } from "#app/features/billing/use-plan-choice.ts";
import { loadMessages } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Questions } from "#app/ui/questions.tsx";
import { requestLocale } from "#domain/locale.ts";
import { PLAN_IDS, type PlanId, FOREVER_GRACE_MS } from "#domain/plans.ts";
import { DAY_MS } from "#domain/units.ts";
import type { BillingMode, CurrentPlan, ListedPlan } from "#domain/wire.ts";

export const loader = async ({ context, request }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  return {
    messages: loadMessages(request, "pricing", "billing", "expirations"),
    plans: context.listPlans(requestLocale(request.headers)),
    current: user && (await context.currentPlan(user)),
    billing: context.billing,
  };
};

export default function Pricing() {
  const t = useMessages("pricing");
  const { plans, current, billing } = useLoaderData<typeof loader>();
  const { busy, disabled, downgrade, choose, confirm, dismiss } = usePlanChoice(current, billing);
  useCanceledCheckout();
  const billingNote = BILLING_NOTES[billing];
  return (
    <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 lg:py-16">
      <div className="mx-auto max-w-2xl text-center">
        <h1 className="font-display text-4xl leading-[1.08] font-semibold tracking-tight text-balance sm:text-5xl">
          {t("title")}
        </h1>
        <p className="mt-4 text-lg text-balance text-muted">{t("lead")}</p>
      </div>
      {billingNote !== undefined && (
        <p
          role="note"
          className="mx-auto mt-8 max-w-2xl rounded-2xl border border-amber bg-sunken p-4 text-center text-sm"
        >
          {t(billingNote)}
        </p>
      )}
      <div className="mt-10 grid grid-cols-1 gap-6 lg:mt-14 lg:auto-cols-fr lg:grid-cols-none lg:grid-flow-col lg:grid-rows-[repeat(4,auto)_1fr] lg:gap-y-0">
        {plans.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            status={planStatus(plan, plans, current)}
            isRecommended={plan.id === recommendedPlan(current)}
            isPending={busy === plan.id}
            disabled={disabled}
            onChoose={() => choose(plan.id)}
          />
        ))}
      </div>
      <ContactSales />
      <PricingQuestions />
      {downgrade && (
        <ConfirmDowngrade
          downgrade={downgrade}
          onClose={dismiss}
          onConfirm={(atPeriodEnd) => confirm(downgrade, atPeriodEnd)}
        />
      )}
    </div>
  );
}

const BILLING_NOTES: Partial<Record<BillingMode, "manualNote" | "offNote">> = { manual: "manualNote", off: "offNote" };

function recommendedPlan(current: CurrentPlan | null): PlanId | null {
  return PLAN_IDS[PLAN_IDS.indexOf(current?.planType ?? "free") + 1] ?? null;
}

function planStatus(plan: ListedPlan, plans: ListedPlan[], current: CurrentPlan | null): PlanStatus {
  if (!current) return { kind: "available", label: plan.price === 0 ? "startForFree" : "choosePlan" };
  const { cancelAtPeriodEnd, currentPeriodEnd } = current.subscription;
  if (plan.id === current.planType) {
    return cancelAtPeriodEnd
      ? { kind: "ending", endsAt: currentPeriodEnd }
      : { kind: "current", hasSubscription: current.hasSubscription };
  }
  if (plan.price === 0 && cancelAtPeriodEnd) return { kind: "scheduled", startsAt: currentPeriodEnd };
  const ownPrice = plans.find(({ id }) => id === current.planType)?.price ?? 0;
  return { kind: "available", label: plan.price > ownPrice ? "upgradeTo" : "downgradeTo" };
}

/** Shows a toast after a cancelled checkout, and removes the checkout's query parameters from the URL. */
function useCanceledCheckout(): void {
  const [search, setSearch] = useSearchParams();
  useEffect(() => {
    if (parsePaymentReturn(search)?.kind !== "canceled") return;
    showCanceledToast();
    setSearch(removePaymentParams, { replace: true, preventScrollReset: true });
  }, [search, setSearch]);
}

function ContactSales() {
  const t = useMessages("pricing");
  return (
    <section className="mt-8 flex flex-col items-start justify-between gap-5 rounded-3xl border border-line bg-sunken p-6 sm:flex-row sm:items-center sm:p-8">
      <div>
        <h2 className="font-display text-2xl font-semibold">{t("needMore")}</h2>
        <p className="mt-1 text-muted">{t("needMoreText")}</p>
      </div>
      <Link to="/contact" className={`${buttonClass("quiet")} shrink-0`}>
        {t("contactSales")}
      </Link>
    </section>
  );
}

function PricingQuestions() {
  const t = useMessages("pricing");
  const days = FOREVER_GRACE_MS / DAY_MS;
  return (
    <section aria-labelledby="questions" className="mx-auto mt-16 max-w-3xl lg:mt-24">
      <Questions
        title={t("beforeYouChoose")}
        questions={[
          { question: t("transfer"), answer: t("transferAnswer") },
          { question: t("month"), answer: t("monthAnswer") },
          { question: t("smaller"), answer: t("smallerAnswer", { days }) },
          { question: t("stop"), answer: t("stopAnswer") },
        ]}
      />
    </section>
  );
}
