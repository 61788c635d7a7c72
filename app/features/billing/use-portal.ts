import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { PlanId } from "#domain/plans.ts";
import { SECOND_MS } from "#domain/units.ts";
import { saveCheckoutAttempt } from "./checkout-attempt.ts";

/** Delays of the redirect to the portal, and of a link for browsers that did not redirect (decision 024). */
const REDIRECT_AFTER_MS = 100;
const FALLBACK_LINK_AFTER_MS = SECOND_MS;
const MANUAL_TOAST_MS = 10 * SECOND_MS;

export interface Portal {
  busy: boolean;
  fallbackUrl: string | null;
  open(): void;
  convert(): void;
}

/** Opens the billing portal. A manual customer, who has no portal, is offered a Stripe checkout. */
export function usePortal(planType: PlanId): Portal {
  const t = useMessages("billing");
  const [redirectUrl, setRedirectUrl] = useState<string | null>(null);
  const [fallbackUrl, setFallbackUrl] = useState<string | null>(null);
  const redirect = (url: string) => {
    setRedirectUrl(url);
    setTimeout(() => location.assign(url), REDIRECT_AFTER_MS);
    setTimeout(() => {
      setRedirectUrl(null);
      setFallbackUrl(url);
    }, FALLBACK_LINK_AFTER_MS);
  };

  const convert = useMutation({
    mutationFn: () => call("POST /api/subscription/convert-to-stripe"),
    onSuccess: ({ url }) => {
      saveCheckoutAttempt(planType);
      redirect(url);
    },
    onError: errorToast(t("conversionFailed"), t("conversionFailedText")),
  });
  const open = useMutation({
    mutationFn: () =>
      call("POST /api/subscription/portal", {
        body: { returnUrl: `${location.origin}/dashboard?stripe_portal_return=true` },
      }),
    onSuccess: ({ url, isFallback, manualCustomer }) => {
      if (manualCustomer) {
        toast({
          title: t("manualDetected"),
          description: t("manualDetectedText"),
          durationMs: MANUAL_TOAST_MS,
          action: { label: t("convert"), onAction: convert.mutate },
        });
        return;
      }
      if (isFallback) toast({ title: t("billingPortal"), description: t("nothingToManage") });
      if (url !== null) redirect(url);
    },
    onError: errorToast(t("billingPortal"), t("portalFailed")),
  });

  return {
    busy: open.isPending || convert.isPending || redirectUrl !== null,
    fallbackUrl,
    open: () => {
      setFallbackUrl(null);
      open.mutate();
    },
    convert: () => {
      setFallbackUrl(null);
      convert.mutate();
    },
  };
}
