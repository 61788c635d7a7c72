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

/**
 * @returns a function that reloads every list of the Security tab, because each change also adds a row to the list of
 * events
 */
export function useRefreshSecurity(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(Object.values(securityKeys).map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** The account's ways in besides passkeys: password and providers. */
export function useWaysIn() {
  return useQuery({ queryKey: securityKeys.providers, queryFn: () => call("GET /api/auth/providers") });
}
