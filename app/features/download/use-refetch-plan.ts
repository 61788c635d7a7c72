import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/lib/api.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { SECOND_MS } from "#domain/units.ts";

/** Delay between a download and refetching the user's plan (decision 024). */
const REFETCH_PLAN_AFTER_MS = SECOND_MS;

/** @returns a function that refetches the user's plan, to call when a download starts */
export function useRefetchPlan(): () => void {
  const user = useCurrentUser();
  const queries = useQueryClient();
  return () => {
    if (!user) return;
    setTimeout(() => {
      // Errors are ignored, because this page does not show the plan.
      queries.query({ queryKey: queryKeys.currentPlan, queryFn: api.currentPlan, staleTime: 0 }).catch(() => undefined);
    }, REFETCH_PLAN_AFTER_MS);
  };
}
