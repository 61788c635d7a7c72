import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { PlanId } from "#domain/plans.ts";
import { SECOND_MS } from "#domain/units.ts";
import { api } from "../api.ts";
import { toast } from "../components/ui/toast.tsx";
import { useMessages } from "../messages/messages.ts";
import { failureToast } from "../use-form.ts";
import { keepCheckoutAttempt } from "./checkout-attempt.ts";

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
  const say = useMessages("billing");
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
      keepCheckoutAttempt(planType);
      leave(url);
    },
    onError: failureToast(say("conversionFailed"), say("conversionFailedText")),
  });
  const open = useMutation({
    mutationFn: () => api.openPortal(`${location.origin}/dashboard?stripe_portal_return=true`),
    onSuccess: ({ url, isFallback, manualCustomer }) => {
      if (manualCustomer) {
        toast({
          title: say("manualDetected"),
          description: say("manualDetectedText"),
          durationMs: MANUAL_SHOWN_MS,
          action: { label: say("convert"), onAction: convert.mutate },
        });
        return;
      }
      if (isFallback) toast({ title: say("billingPortal"), description: say("nothingToManage") });
      if (url !== null) leave(url);
    },
    onError: failureToast(say("billingPortal"), say("portalFailed")),
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
