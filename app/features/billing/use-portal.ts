import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PlanId } from "#domain/plans.ts";
import { SECOND_MS } from "#domain/units.ts";
import { api } from "#app/lib/api.ts";
import { toast } from "#app/ui/toast.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { saveCheckoutAttempt } from "./checkout-attempt.ts";

/** The portal opens after the first; whoever is still here after the second gets a link (specification 1 section 4). */
const REDIRECT_AFTER_MS = 100;
const FALLBACK_AFTER_MS = SECOND_MS;
/** How long the offer to convert stays (specification 1 section 9). */
const MANUAL_SHOWN_MS = 10 * SECOND_MS;

export interface Portal {
  busy: boolean;
  /** Where the way leads that the browser has not gone; null while there is none. */
  fallbackUrl: string | null;
  open(): void;
  convert(): void;
}

/** The way to the payment provider's billing portal, or for a manual customer, to the provider itself. */
export function usePortal(planType: PlanId): Portal {
  const t = useMessages("billing");
  const [leavingFor, setLeavingFor] = useState<string | null>(null);
  const [fallbackUrl, setFallbackUrl] = useState<string | null>(null);
  const leave = (url: string) => {
    setLeavingFor(url);
    setTimeout(() => {
      location.assign(url);
    }, REDIRECT_AFTER_MS);
    setTimeout(() => {
      setLeavingFor(null);
      setFallbackUrl(url);
    }, FALLBACK_AFTER_MS);
  };

  const convert = useMutation({
    mutationFn: api.convertToStripe,
    onSuccess: ({ url }) => {
      saveCheckoutAttempt(planType);
      leave(url);
    },
    onError: errorToast(t("conversionFailed"), t("conversionFailedText")),
  });
  const open = useMutation({
    mutationFn: () => api.openPortal(`${location.origin}/dashboard?stripe_portal_return=true`),
    onSuccess: ({ url, isFallback, manualCustomer }) => {
      if (manualCustomer) {
        toast({
          title: t("manualDetected"),
          description: t("manualDetectedText"),
          durationMs: MANUAL_SHOWN_MS,
          action: { label: t("convert"), onAction: convert.mutate },
        });
        return;
      }
      if (isFallback) toast({ title: t("billingPortal"), description: t("nothingToManage") });
      if (url !== null) leave(url);
    },
    onError: errorToast(t("billingPortal"), t("portalFailed")),
  });

  return {
    busy: open.isPending || convert.isPending || leavingFor !== null,
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
