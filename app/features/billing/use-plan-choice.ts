import { useNavigate, useRevalidator } from "@remix-run/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Locale } from "#domain/locale.ts";
import { isFree, planOf, type PlanId } from "#domain/plans.ts";
import type { BillingMode, CurrentPlan } from "#domain/wire.ts";
import { api, queryKeys } from "#app/lib/api.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { toast } from "#app/ui/toast.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { forgetCheckoutAttempt, saveCheckoutAttempt } from "./checkout-attempt.ts";
import { isSetHere, setPlan, startCheckout } from "./checkout.ts";

/** A change to a smaller plan that waits for its confirmation. */
export interface Downgrade {
  to: PlanId;
  current: CurrentPlan;
  /** Whether the plan is set here; otherwise the billing portal asks once more. */
  isSetHere: boolean;
}

export interface PlanChoice {
  /** The plan whose choice is on its way; null when none is. */
  busy: PlanId | null;
  /** True while a choice, or what came of one, is on its way. */
  disabled: boolean;
  downgrade: Downgrade | null;
  choose(planType: PlanId): void;
  /** @param atPeriodEnd keeps the paid plan until the billing month ends */
  confirm(downgrade: Downgrade, atPeriodEnd: boolean): void;
  dismiss(): void;
}

/** Choosing a plan: signing in, confirming a downgrade, paying. @param current null for a visitor */
export function usePlanChoice(current: CurrentPlan | null, billing: BillingMode): PlanChoice {
  const t = useMessages("pricing");
  const [busy, setBusy] = useBusy();
  const [downgrade, setDowngrade] = useState<Downgrade | null>(null);
  const openAuth = useAuthDialog();
  const navigate = useNavigate();
  const updated = useShowUpdated();

  const buy = async (planType: PlanId, from: CurrentPlan) => {
    setBusy(planType);
    try {
      const { url, message } = await startCheckout(planType, from);
      // Words come with a plan that was set at once. Who leaves for a payment stays busy until the page is gone.
      if (message === undefined) {
        location.assign(url);
        return;
      }
      updated.show(t("onPlanNow", { plan: planOf(planType).name }));
    } catch (error) {
      errorToast(t("checkoutError"), t("checkoutErrorText"))(error);
    }
    setBusy(null);
  };
  const update = async (planType: PlanId, atPeriodEnd: boolean, from: CurrentPlan) => {
    setBusy(planType);
    try {
      const { planType: plan } = await setPlan(planType, atPeriodEnd);
      updated.show(
        plan === planType
          ? t("onPlanNow", { plan: planOf(plan).name })
          : t("planEnds", { plan: planOf(plan).name, day: lastDayOf(from, t.locale) }),
      );
    } catch (error) {
      errorToast(t("updateError"), t("updateErrorText"))(error);
    }
    setBusy(null);
  };
  const proceed = (planType: PlanId, from: CurrentPlan) => {
    const wanted = planOf(planType);
    if (planType === from.planType && !from.subscription.cancelAtPeriodEnd) {
      toast({ title: t("alreadyOn", { plan: wanted.name }) });
    } else if (wanted.priceUsdCents < planOf(from.planType).priceUsdCents) {
      setDowngrade({ to: planType, current: from, isSetHere: isSetHere(planType, from, billing) });
    } else {
      void buy(planType, from);
    }
  };
  const proceedSignedIn = async (planType: PlanId) => {
    setBusy(planType);
    const from = await api.currentPlan().catch((error: unknown) => {
      errorToast(t("error"), t("planUnknown"))(error);
      return null;
    });
    setBusy(null);
    // Who has just signed up for the free plan is there already, and wants to send something.
    if (from && planType === from.planType && isFree(planType)) navigate("/");
    else if (from) proceed(planType, from);
  };

  return {
    busy,
    disabled: busy !== null || updated.isShowing,
    downgrade,
    choose: (planType) => {
      if (current) proceed(planType, current);
      else {
        saveCheckoutAttempt(planType);
        openAuth({
          tab: "register",
          reason: t("mustLogIn"),
          onSuccess: () => void proceedSignedIn(planType),
        });
      }
    },
    confirm: ({ to, current: from, isSetHere: here }, atPeriodEnd) => {
      setDowngrade(null);
      void (here ? update(to, atPeriodEnd, from) : buy(to, from));
    },
    dismiss: () => {
      setDowngrade(null);
    },
  };
}

function lastDayOf({ subscription }: CurrentPlan, locale: Locale): string {
  const end = new Date(subscription.currentPeriodEnd);
  return end.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}

/** A page that comes back from the browser's store with its script's state is not busy any more. */
function useBusy() {
  const [busy, setBusy] = useState<PlanId | null>(null);
  useEffect(() => {
    const end = (event: PageTransitionEvent) => {
      if (event.persisted) setBusy(null);
    };
    addEventListener("pageshow", end);
    return () => {
      removeEventListener("pageshow", end);
    };
  }, []);
  return [busy, setBusy] as const;
}

/** Says that the plan is another one, and shows it everywhere. */
function useShowUpdated() {
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
