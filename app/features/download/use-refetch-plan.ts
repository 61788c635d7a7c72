import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/lib/api.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { SECOND_MS } from "#domain/units.ts";

/** Delay before refetching the user's plan, after a download (decision 024). */
const REFETCH_PLAN_AFTER_MS = SECOND_MS;

/** @returns a function to call when a download starts */
export function useRefetchPlan(): () => void {
  const user = useCurrentUser();
  const queries = useQueryClient();
  return () => {
    if (!user) return;
    setTimeout(() => {
      // Ignore errors: this page does not show the plan.
      queries.query({ queryKey: queryKeys.currentPlan, queryFn: api.currentPlan, staleTime: 0 }).catch(() => undefined);
    }, REFETCH_PLAN_AFTER_MS);
  };
}
