import type { ADMIN_SESSION_CALLS } from "#domain/calls/admin.ts";
import type { AdminLoginAnswer } from "#domain/wire.ts";
import { adminConfirmOptions, confirmAdmin } from "../admin/confirm.ts";
import { requireAdminSession } from "../admin/require-admin.ts";
import { logoutAdmin } from "../admin/sessions.ts";
import {
  adminLoginOptions,
  adminSecondFactorOptions,
  findWaitingAdmin,
  loginAdmin,
  loginAdminByPasskey,
  showAdminFactor,
} from "../admin/sign-in.ts";
import type { Handlers } from "./mount.ts";

const SIGNED_IN: AdminLoginAnswer = { isAdmin: true };

export const adminSessionHandlers: Handlers<typeof ADMIN_SESSION_CALLS> = {
  "POST /api/admin/login": async ({ c, context, services, body, now }) => {
    await context.enforceRateLimit("adminLogin", body.username.toLowerCase());
    const result = await loginAdmin(services, body, now);
    c.header("set-cookie", result.cookie);
    return result.kind === "session" ? SIGNED_IN : { isAdmin: false, secondFactor: { methods: result.methods } };
  },
  "POST /api/admin/second-factor": async ({ c, context, services, visit, body, now }) => {
    const waiting = await findWaitingAdmin(services, visit.headers, now);
    await context.enforceRateLimit("secondFactor", waiting.administrator.viewer.userId ?? "settings");
    c.header("set-cookie", await showAdminFactor(services, waiting, body, visit, now));
    return SIGNED_IN;
  },
  "POST /api/admin/passkey/options": async ({ context, services, visit, body: { purpose }, now }) => {
    if (purpose === "login") return adminLoginOptions(services, now);
    if (purpose === "second-factor") return adminSecondFactorOptions(services, visit.headers, now);
    return adminConfirmOptions(services, await requireAdminSession(context), now);
  },
  "POST /api/admin/passkey/login": async ({ c, services, visit, body, now }) => {
    c.header("set-cookie", await loginAdminByPasskey(services, body.credential, visit, now));
    return SIGNED_IN;
  },
  "POST /api/admin/confirm": async ({ context, services, visit, body, now }) => {
    const session = await requireAdminSession(context);
    await context.enforceRateLimit("confirm", session.viewer.username);
    return { confirmedUntil: new Date(await confirmAdmin(services, session, body, visit, now)).toISOString() };
  },
  "POST /api/admin/logout": async ({ c, context, services, visit, now }) =>
    c.header("set-cookie", await logoutAdmin(services, await context.currentAdmin(), visit.headers, now)),
  "GET /api/admin/auth-check": async ({ context }) => ({ isAdmin: (await context.currentAdmin()) !== null }),
};
