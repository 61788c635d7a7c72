import { useQueryClient } from "@tanstack/react-query";
import { securityKeys } from "#app/features/account/security-api.ts";

/** @returns loads again what the Security tab lists: a change of one list is an event of another */
export function useRefreshSecurity(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(Object.values(securityKeys).map((queryKey) => queries.invalidateQueries({ queryKey })));
}
