import { useQueryClient, useQuery } from "@tanstack/react-query";
import { call } from "#app/lib/api.ts";

export const securityKeys = {
  sessions: ["/api/auth/sessions"],
  devices: ["/api/auth/devices"],
  events: ["/api/auth/events"],
  factor: ["/api/auth/totp"],
  passkeys: ["/api/auth/passkeys"],
  providers: ["/api/auth/providers"],
} as const;

/** @returns loads again what the Security tab lists: a change of one list is an event of another */
export function useRefreshSecurity(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(Object.values(securityKeys).map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** The ways into this account besides passkeys. */
export function useWaysIn() {
  return useQuery({ queryKey: securityKeys.providers, queryFn: () => call("GET /api/auth/providers") });
}
