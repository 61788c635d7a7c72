import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

export const accountApi = {
  login: (body: BodyOf<"POST /api/auth/login">) => call("POST /api/auth/login", { body }),
  register: (body: BodyOf<"POST /api/auth/register">) => call("POST /api/auth/register", { body }),
  requestPasswordReset: (email: string) => call("POST /api/auth/reset-password", { body: { email } }),
  setNewPassword: (newPassword: string, token: string) =>
    call("POST /api/auth/reset-password", { body: { newPassword, token } }),
  resendVerification: (email: string) => call("POST /api/auth/resend-verification", { body: { email } }),
  verifyEmail: (token: string) => call("GET /api/auth/verify-email", { query: { token } }),
  changeEmail: (body: BodyOf<"POST /api/auth/change-email">) => call("POST /api/auth/change-email", { body }),
  changePassword: (body: BodyOf<"POST /api/auth/change-password">) => call("POST /api/auth/change-password", { body }),
  sessions: () => call("GET /api/auth/sessions"),
  endSession: (id: string) => call("DELETE /api/auth/sessions/:id", { params: { id } }),
  endOtherSessions: () => call("DELETE /api/auth/sessions"),
  deleteAccount: (password: string) => call("DELETE /api/auth/account", { body: { password } }),
};
