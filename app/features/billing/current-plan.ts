import { useQuery, useQueryClient, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { CurrentPlan } from "#domain/wire.ts";
import { api, queryKeys } from "#app/lib/api.ts";

/** The dashboard refreshes the plan from Stripe if the last refresh is older, after this delay (decision 024). */
const STALE_AFTER_MS = 15 * MINUTE_MS;
export const REFRESH_DELAY_MS = 2 * SECOND_MS;

/** @param loaded the loader's plan; null if it could not be read */
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

/** Updates the cached plan. The current user is refetched because it names the plan too. */
export function setCachedPlan(queries: QueryClient, plan: CurrentPlan): void {
  queries.setQueryData(queryKeys.currentPlan, plan);
  void queries.invalidateQueries({ queryKey: queryKeys.me });
}

/**
 * Reads the plan from Stripe.
 * @throws ApiError; TypeError if the network fails
 */
export async function refreshPlan(queries: QueryClient, signal?: AbortSignal): Promise<CurrentPlan> {
  const plan = await api.refreshedPlan(signal);
  setCachedPlan(queries, plan);
  recordRefresh();
  return plan;
}

const REFRESHED_KEY = "subscription-refreshed-at";

export function isRefreshDue(): boolean {
  return Date.now() - Number(localStorage.getItem(REFRESHED_KEY) ?? 0) > STALE_AFTER_MS;
}

function recordRefresh(): void {
  localStorage.setItem(REFRESHED_KEY, String(Date.now()));
}
