import { useQuery } from "@tanstack/react-query";
import { securityApi, securityKeys } from "#app/features/account/security-api.ts";

/** The ways into this account besides passkeys. */
export function useWaysIn() {
  return useQuery({ queryKey: securityKeys.providers, queryFn: securityApi.providers });
}
