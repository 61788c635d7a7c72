import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, queryKeys } from "#app/lib/api.ts";
import { toast } from "#app/ui/toast.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { browserTranslator, useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { isRefreshDue, refreshPlan, REFRESH_DELAY_MS } from "./current-plan.ts";

export function useManualRefresh(): { busy: boolean; refresh(): void } {
  const t = useMessages("billing");
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => refreshPlan(queries),
    onSuccess: ({ planName }) => {
      toast({ title: t("refreshed"), description: t("onPlan", { plan: planName }) });
    },
    onError: errorToast(t("refreshFailed"), t("refreshFailedText")),
  });
  return { busy: isPending, refresh: mutate };
}

/**
 * Refreshes the plan in the background if the last refresh is too old. Shows a toast after failure only.
 * @param enabled false if something else on the page refreshes the plan
 */
export function useRefreshOnLoad(enabled: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!enabled || !isRefreshDue()) return;
    const timer = setTimeout(() => {
      refreshPlan(queries).catch((error: unknown) => {
        // Refetching the current user redirects a signed-out user.
        if (error instanceof ApiError && error.status === 401)
          void queries.invalidateQueries({ queryKey: queryKeys.me });
        else showRefreshError(error);
      });
    }, REFRESH_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [queries, enabled]);
}

export function showRefreshError(error: unknown): void {
  const t = browserTranslator("billing");
  const message = messageOf(error, t("refreshLater"));
  toast({ title: t("refreshIssue"), description: t("refreshIssueText", { message }), tone: "bad" });
}
