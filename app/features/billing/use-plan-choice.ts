import { useNavigate, useRevalidator } from "@remix-run/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, queryKeys, call } from "#app/lib/api.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { Locale } from "#domain/locale.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import {
  type BillingMode,
  type CurrentPlan,
  isManualCustomer,
  type CheckoutAnswer,
  type ManualUpdateAnswer,
} from "#domain/wire.ts";
import { forgetCheckoutAttempt, saveCheckoutAttempt } from "./checkout-attempt.ts";

export interface Downgrade {
  to: PlanId;
  current: CurrentPlan;
  /** See the function `isChangedWithoutPortal`. If false, the billing portal asks for a second confirmation. */
  isChangedWithoutPortal: boolean;
}

export interface PlanChoice {
  /** The plan that is being chosen; null while none is. */
  busy: PlanId | null;
  disabled: boolean;
  downgrade: Downgrade | null;
  choose(planType: PlanId): void;
  /** @param atPeriodEnd whether the account keeps the paid plan until the billing month ends */
  confirm(downgrade: Downgrade, atPeriodEnd: boolean): void;
  dismiss(): void;
}

/** The state and actions of the plan cards. @param current the account's plan; null for a visitor */
export function usePlanChoice(current: CurrentPlan | null, billing: BillingMode): PlanChoice {
  const t = useMessages("pricing");
  const [busy, setBusy] = useBusyPlan();
  const [downgrade, setDowngrade] = useState<Downgrade | null>(null);
  const openAuth = useAuthDialog();
  const navigate = useNavigate();
  const planUpdate = usePlanUpdate();

  const checkOut = async (planType: PlanId, currentPlan: CurrentPlan) => {
    setBusy(planType);
    try {
      const { url, message } = await startCheckout(planType, currentPlan);
      // A `message` says that the plan was set without a payment. Without a `message` the browser goes on to Stripe,
      // and the cards stay busy until it leaves the page.
      if (message === undefined) {
        location.assign(url);
        return;
      }
      planUpdate.show(t("onPlanNow", { plan: planOf(planType).name }));
    } catch (error) {
      errorToast(t("checkoutError"), t("checkoutErrorText"))(error);
    }
    setBusy(null);
  };
  const updatePlan = async (planType: PlanId, atPeriodEnd: boolean, currentPlan: CurrentPlan) => {
    setBusy(planType);
    try {
      const { planType: plan } = await setPlan(planType, atPeriodEnd);
      planUpdate.show(
        plan === planType
          ? t("onPlanNow", { plan: planOf(plan).name })
          : t("planEnds", { plan: planOf(plan).name, day: formatPeriodEnd(currentPlan, t.locale) }),
      );
    } catch (error) {
      errorToast(t("updateError"), t("updateErrorText"))(error);
    }
    setBusy(null);
  };
  const choosePlan = (planType: PlanId, currentPlan: CurrentPlan) => {
    const chosenPlan = planOf(planType);
    if (planType === currentPlan.planType && !currentPlan.subscription.cancelAtPeriodEnd) {
      toast({ title: t("alreadyOn", { plan: chosenPlan.name }) });
    } else if (chosenPlan.priceUsdCents < planOf(currentPlan.planType).priceUsdCents) {
      setDowngrade({
        to: planType,
        current: currentPlan,
        isChangedWithoutPortal: isChangedWithoutPortal(planType, currentPlan, billing),
      });
    } else {
      void checkOut(planType, currentPlan);
    }
  };
  const choosePlanAfterSignIn = async (planType: PlanId) => {
    setBusy(planType);
    const currentPlan = await api.currentPlan().catch((error: unknown) => {
      errorToast(t("error"), t("planUnknown"))(error);
      return null;
    });
    setBusy(null);
    // A new account already has the free plan, so the choice of that plan leads on to the upload card of the home page.
    if (currentPlan && planType === currentPlan.planType && isFree(planType)) navigate("/");
    else if (currentPlan) choosePlan(planType, currentPlan);
  };

  return {
    busy,
    disabled: busy !== null || planUpdate.isShowing,
    downgrade,
    choose: (planType) => {
      if (current) choosePlan(planType, current);
      else {
        saveCheckoutAttempt(planType);
        openAuth({
          tab: "register",
          reason: t("mustLogIn"),
          onSuccess: () => void choosePlanAfterSignIn(planType),
        });
      }
    },
    confirm: ({ to, current: currentPlan, isChangedWithoutPortal: withoutPortal }, atPeriodEnd) => {
      setDowngrade(null);
      void (withoutPortal ? updatePlan(to, atPeriodEnd, currentPlan) : checkOut(to, currentPlan));
    },
    dismiss: () => setDowngrade(null),
  };
}

function formatPeriodEnd({ subscription }: CurrentPlan, locale: Locale): string {
  const periodEnd = new Date(subscription.currentPeriodEnd);
  return periodEnd.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}

/**
 * The plan that is being chosen. The value becomes null when the browser restores the page from the back/forward cache.
 */
function useBusyPlan() {
  const [busy, setBusy] = useState<PlanId | null>(null);
  useEffect(() => {
    const reset = (event: PageTransitionEvent) => {
      if (event.persisted) setBusy(null);
    };
    addEventListener("pageshow", reset);
    return () => removeEventListener("pageshow", reset);
  }, []);
  return [busy, setBusy] as const;
}

function usePlanUpdate() {
  const t = useMessages("pricing");
  const queries = useQueryClient();
  const { revalidate, state } = useRevalidator();
  const show = (message: string) => {
    forgetCheckoutAttempt();
    toast({ title: t("planUpdated"), description: message });
    void queries.invalidateQueries({ queryKey: queryKeys.me });
    revalidate();
  };
  return { show, isShowing: state === "loading" };
}

/**
 * Saves the chosen plan in localStorage, and requests the URL of the checkout or of the billing portal.
 * @throws ApiError; TypeError if the network fails
 */
function startCheckout(planType: PlanId, current: CurrentPlan): Promise<CheckoutAnswer> {
  saveCheckoutAttempt(planType);
  // A customer with a paid subscription changes the plan in the billing portal, and may return without a change.
  const isPaying = current.hasSubscription && !isManualCustomer(current.stripeCustomerId);
  const returnParam = isPaying ? "stripe_portal_return=true" : "checkout=success";
  return call("POST /api/subscription/checkout", {
    body: {
      planType,
      successUrl: `${location.origin}/dashboard?${returnParam}&plan=${planType}`,
      cancelUrl: `${location.origin}/pricing?checkout=cancelled`,
      mode: "subscription",
    },
  });
}

/** Whether the plan changes on this page, without a payment or the billing portal. */
function isChangedWithoutPortal(planType: PlanId, current: CurrentPlan, billing: BillingMode): boolean {
  return billing === "manual" || (isFree(planType) && isManualCustomer(current.stripeCustomerId));
}

/** Sets the account's plan without a payment. @throws ApiError; TypeError if the network fails */
function setPlan(planType: PlanId, atPeriodEnd: boolean): Promise<ManualUpdateAnswer> {
  return call("POST /api/subscription/manual-update", {
    body: {
      planType,
      atPeriodEnd,
      sessionId: null,
      isProduction: import.meta.env.PROD,
      redirectStatus: null,
      checkoutParam: null,
      referrer: document.referrer,
    },
  });
}
