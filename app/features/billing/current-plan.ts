import { useQuery, useQueryClient, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { CurrentPlan } from "#domain/wire.ts";
import { api, queryKeys } from "#app/lib/api.ts";

/** What was last asked of the payment provider is good for so long; the dashboard asks again after this delay (specification 1 section 9). */
export const REFRESH_AFTER_MS = 15 * MINUTE_MS;
export const REFRESH_DELAY_MS = 2 * SECOND_MS;

/** The person's plan: what the document came with, then whatever was read later. @param loaded null: not known yet */
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

/** Shows a plan that was just read; the rest of the site hears of a change through the current user. */
export function showPlan(queries: QueryClient, plan: CurrentPlan): void {
  queries.setQueryData(queryKeys.currentPlan, plan);
  void queries.invalidateQueries({ queryKey: queryKeys.me });
}

/** Reads the plan anew, from the payment provider on. @throws ApiError; TypeError when nothing answered */
export async function refreshPlan(queries: QueryClient, signal?: AbortSignal): Promise<CurrentPlan> {
  const plan = await api.refreshedPlan(signal);
  showPlan(queries, plan);
  noteRefresh();
  return plan;
}

const REFRESHED_KEY = "subscription-refreshed-at";

/** Whether the last refresh in this browser is too long ago. */
export function isRefreshDue(): boolean {
  return Date.now() - Number(localStorage.getItem(REFRESHED_KEY) ?? 0) > REFRESH_AFTER_MS;
}

function noteRefresh(): void {
  localStorage.setItem(REFRESHED_KEY, String(Date.now()));
}
