import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, queryKeys } from "#app/lib/api.ts";
import { toast } from "#app/ui/toast.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { browserTranslator, useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { isRefreshDue, refreshPlan, REFRESH_DELAY_MS } from "./current-plan.ts";

/** Reading the plan anew because somebody asked for it: how it went is said. */
export function useRefreshByHand(): { busy: boolean; refresh(): void } {
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
 * Reads the plan anew on its own when the last time is too long ago; only trouble is said.
 * @param enabled false where something else on the page reads it
 */
export function useRefreshOnLoad(enabled: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!enabled || !isRefreshDue()) return;
    const timer = setTimeout(() => {
      refreshPlan(queries).catch((error: unknown) => {
        // Whoever was signed out elsewhere is on the way home.
        if (error instanceof ApiError && error.status === 401)
          void queries.invalidateQueries({ queryKey: queryKeys.me });
        else reportRefreshIssue(error);
      });
    }, REFRESH_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [queries, enabled]);
}

/** Says that what is shown may be old. */
export function reportRefreshIssue(error: unknown): void {
  const t = browserTranslator("billing");
  const message = messageOf(error, t("refreshLater"));
  toast({ title: t("refreshIssue"), description: t("refreshIssueText", { message }), tone: "bad" });
}
