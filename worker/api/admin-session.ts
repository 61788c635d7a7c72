import { Hono } from "hono";
import {
  adminConfirmRequest,
  adminLoginRequest,
  adminPasskeyRequest,
  adminSecondFactorRequest,
  passkeyOptionsRequest,
  type AdminLoginAnswer,
} from "#domain/wire.ts";
import { readVisit } from "../accounts/visit.ts";
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
import type { AppEnv } from "../app-env.ts";
import { readJson } from "./input.ts";

const SIGNED_IN: AdminLoginAnswer = { isAdmin: true };

/** How administrators sign in, and confirm that it is still them. Below `/api/admin`. */
export const adminSessionRoutes = new Hono<AppEnv>()
  .post("/login", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const request = await readJson(c, adminLoginRequest);
    await enforceRateLimit("adminLogin", request.username.toLowerCase());
    const result = await loginAdmin(services, request, Date.now());
    c.header("set-cookie", result.cookie);
    if (result.kind === "session") return c.json(SIGNED_IN);
    return c.json<AdminLoginAnswer>({ isAdmin: false, secondFactor: { methods: result.methods } });
  })
  .post("/second-factor", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const request = await readJson(c, adminSecondFactorRequest);
    const visit = readVisit(c.req.raw);
    const now = Date.now();
    await enforceRateLimit("secondStep");
    const waiting = await findWaitingAdmin(services, visit.headers, now);
    await enforceRateLimit("secondFactor", waiting.administrator.viewer.userId ?? "settings");
    c.header("set-cookie", await showAdminFactor(services, waiting, request, visit, now));
    return c.json(SIGNED_IN);
  })
  .post("/passkey/options", async (c) => {
    const { services, request, enforceRateLimit } = c.get("context");
    const { purpose } = await readJson(c, passkeyOptionsRequest);
    await enforceRateLimit("passkey");
    const now = Date.now();
    if (purpose === "login") return c.json(await adminLoginOptions(services, now));
    if (purpose === "second-factor") return c.json(await adminSecondFactorOptions(services, request.headers, now));
    return c.json(await adminConfirmOptions(services, await requireAdminSession(c.get("context")), now));
  })
  .post("/passkey/login", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { credential } = await readJson(c, adminPasskeyRequest);
    await enforceRateLimit("passkey");
    c.header("set-cookie", await loginAdminByPasskey(services, credential, readVisit(c.req.raw), Date.now()));
    return c.json(SIGNED_IN);
  })
  .post("/confirm", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const session = await requireAdminSession(c.get("context"));
    const request = await readJson(c, adminConfirmRequest);
    await enforceRateLimit("confirm", session.viewer.username);
    const confirmedUntil = await confirmAdmin(services, session, request, readVisit(c.req.raw), Date.now());
    return c.json({ confirmedUntil: new Date(confirmedUntil).toISOString() });
  })
  .post("/logout", async (c) => {
    const { services, currentAdmin, request } = c.get("context");
    c.header("set-cookie", await logoutAdmin(services, await currentAdmin(), request.headers, Date.now()));
    return c.json({ message: "Admin session ended successfully" });
  })
  .get("/auth-check", async (c) => c.json({ isAdmin: (await c.get("context").currentAdmin()) !== null }));
