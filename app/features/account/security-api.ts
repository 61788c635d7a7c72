import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";
import { useQueryClient, useQuery } from "@tanstack/react-query";

export const securityKeys = {
  sessions: ["/api/auth/sessions"],
  devices: ["/api/auth/devices"],
  events: ["/api/auth/events"],
  factor: ["/api/auth/totp"],
  passkeys: ["/api/auth/passkeys"],
  providers: ["/api/auth/providers"],
} as const;

export const securityApi = {
  changeEmail: (body: BodyOf<"POST /api/auth/change-email">) => callConfirmed("POST /api/auth/change-email", { body }),
  changePassword: (body: BodyOf<"POST /api/auth/change-password">) =>
    callConfirmed("POST /api/auth/change-password", { body }),
  /** @param password left out for an account that has none */
  deleteAccount: (body: BodyOf<"DELETE /api/auth/account">) => callConfirmed("DELETE /api/auth/account", { body }),
  mailConfirmCode: () => call("POST /api/auth/confirm/mail"),
  providers: () => call("GET /api/auth/providers"),
  linkProvider: (name: string) => callConfirmed("POST /api/auth/providers/:name/link", { params: { name } }),
  unlinkProvider: (name: string) => callConfirmed("DELETE /api/auth/providers/:name", { params: { name } }),
  confirm: (body: BodyOf<"POST /api/auth/confirm">) => call("POST /api/auth/confirm", { body }),
  sessions: () => call("GET /api/auth/sessions"),
  endSession: (id: string) => call("DELETE /api/auth/sessions/:id", { params: { id } }),
  endOtherSessions: () => call("DELETE /api/auth/sessions"),
  devices: () => call("GET /api/auth/devices"),
  removeDevice: (id: string) => call("DELETE /api/auth/devices/:id", { params: { id } }),
  events: () => call("GET /api/auth/events"),
  passkeyOptions: (purpose: PasskeyPurpose) => call("POST /api/auth/passkey/options", { body: { purpose } }),
  passkeys: () => call("GET /api/auth/passkeys"),
  newPasskeyOptions: () => callConfirmed("POST /api/auth/passkeys/options"),
  addPasskey: (body: BodyOf<"POST /api/auth/passkeys">) => call("POST /api/auth/passkeys", { body }),
  changePasskey: (id: string, name: string) => call("PATCH /api/auth/passkeys/:id", { params: { id }, body: { name } }),
  removePasskey: (id: string) => callConfirmed("DELETE /api/auth/passkeys/:id", { params: { id } }),
  signOutEverywhere: (keysToo: boolean) => call("POST /api/auth/sign-out-everywhere", { body: { keysToo } }),
  factor: () => call("GET /api/auth/totp"),
  beginFactor: () => callConfirmed("POST /api/auth/totp"),
  enableFactor: (code: string) => callConfirmed("POST /api/auth/totp/enable", { body: { code } }),
  removeFactor: () => callConfirmed("DELETE /api/auth/totp"),
  makeRecoveryCodes: () => callConfirmed("POST /api/auth/recovery-codes"),
  keepFactor: (token: string) => call("POST /api/auth/keep-factor", { body: { token } }),
  lockAccount: (token: string) => call("POST /api/auth/not-me", { body: { token } }),
  undoChangeOfEmail: (token: string) => call("POST /api/auth/change-email/undo", { body: { token } }),
};

/** @returns loads again what the Security tab lists: a change of one list is an event of another */
export function useRefreshSecurity(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => Promise.all(Object.values(securityKeys).map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** The ways into this account besides passkeys. */
export function useWaysIn() {
  return useQuery({ queryKey: securityKeys.providers, queryFn: securityApi.providers });
}
