import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

export const accountApi = {
  login: (body: BodyOf<"POST /api/auth/login">) => call("POST /api/auth/login", { body }),
  secondFactor: (body: BodyOf<"POST /api/auth/second-factor">) => call("POST /api/auth/second-factor", { body }),
  loginByPasskey: (body: BodyOf<"POST /api/auth/passkey/login">) => call("POST /api/auth/passkey/login", { body }),
  requestMailLink: (email: string) => call("POST /api/auth/mail-link", { body: { email } }),
  redeemMailLink: (body: BodyOf<"POST /api/auth/mail-link/use">) => call("POST /api/auth/mail-link/use", { body }),
  waysIn: () => call("GET /api/auth/providers"),
  register: (body: BodyOf<"POST /api/auth/register">) => call("POST /api/auth/register", { body }),
  requestPasswordReset: (email: string) => call("POST /api/auth/reset-password", { body: { email } }),
  setNewPassword: (newPassword: string, token: string) =>
    call("POST /api/auth/reset-password", { body: { newPassword, token } }),
  resendVerification: (email: string) => call("POST /api/auth/resend-verification", { body: { email } }),
  verifyEmail: (token: string) => call("GET /api/auth/verify-email", { query: { token } }),
};
