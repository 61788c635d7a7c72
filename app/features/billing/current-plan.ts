import { useQuery, useQueryClient, type QueryClient, type UseQueryResult, useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, queryKeys, ApiError } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { browserTranslator, useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { CurrentPlan } from "#domain/wire.ts";

/** The dashboard refreshes the plan from Stripe, after a delay, if the last refresh is older (decision 024). */
const STALE_AFTER_MS = 15 * MINUTE_MS;
const REFRESH_DELAY_MS = 2 * SECOND_MS;

/** @param loaded the plan that the page's loader has read; null if the loader could not read the plan */
export function useCurrentPlan(loaded: CurrentPlan | null): UseQueryResult<CurrentPlan> {
  const queries = useQueryClient();
  useEffect(() => {
    if (loaded) queries.setQueryData(queryKeys.currentPlan, loaded);
  }, [queries, loaded]);
  return useQuery({
    queryKey: queryKeys.currentPlan,
    queryFn: api.currentPlan,
    ...(loaded ? { initialData: loaded } : {}),
  });
}

/** Updates the cached plan, and refetches the current user, whose data names the plan too. */
export function setCachedPlan(queries: QueryClient, plan: CurrentPlan): void {
  queries.setQueryData(queryKeys.currentPlan, plan);
  void queries.invalidateQueries({ queryKey: queryKeys.me });
}

/**
 * Lets the server read the plan from Stripe, and caches the answer. @throws ApiError; TypeError if the network fails
 */
export async function refreshPlan(queries: QueryClient, signal?: AbortSignal): Promise<CurrentPlan> {
  const plan = await api.refreshedPlan(signal);
  setCachedPlan(queries, plan);
  recordRefresh();
  return plan;
}

const REFRESHED_KEY = "subscription-refreshed-at";

function isRefreshDue(): boolean {
  return Date.now() - Number(localStorage.getItem(REFRESHED_KEY) ?? 0) > STALE_AFTER_MS;
}

function recordRefresh(): void {
  localStorage.setItem(REFRESHED_KEY, String(Date.now()));
}

export function useManualRefresh(): { busy: boolean; refresh(): void } {
  const t = useMessages("billing");
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => refreshPlan(queries),
    onSuccess: ({ planName }) => toast({ title: t("refreshed"), description: t("onPlan", { plan: planName }) }),
    onError: errorToast(t("refreshFailed"), t("refreshFailedText")),
  });
  return { busy: isPending, refresh: mutate };
}

/**
 * Refreshes the plan in the background if the last refresh is over 15 minutes old. Only a failure shows a toast.
 * @param enabled false if something else on the page refreshes the plan
 */
export function useRefreshOnLoad(enabled: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!enabled || !isRefreshDue()) return;
    const timer = setTimeout(() => {
      refreshPlan(queries).catch((error: unknown) => {
        // For a signed-out user, refetching the current user leads to a redirect.
        if (error instanceof ApiError && error.status === 401)
          void queries.invalidateQueries({ queryKey: queryKeys.me });
        else showRefreshError(error);
      });
    }, REFRESH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [queries, enabled]);
}

export function showRefreshError(error: unknown): void {
  const t = browserTranslator("billing");
  const message = messageOf(error, t("refreshLater"));
  toast({ title: t("refreshIssue"), description: t("refreshIssueText", { message }), tone: "bad" });
}
