import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import { testEmailRequest } from "#domain/wire.ts";
import { requireAdmin } from "../admin/require-admin.ts";
import type { AppEnv } from "../app-env.ts";
import { fixCors, checkHealth, sendTestEmail } from "../diagnostics/diagnostics.ts";
import { readJson } from "./input.ts";

export const diagnosticRoutes = new Hono<AppEnv>()
  .post("/public-fix-cors", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    await enforceRateLimit("fixCors");
    return c.json(await fixCors(services, requestLocale(c.req.raw.headers)));
  })
  .post("/send-test-email", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    const { email } = await readJson(c, testEmailRequest);
    await context.enforceRateLimit("testMail");
    return c.json(await sendTestEmail(context.services, admin, email, requestLocale(c.req.raw.headers), Date.now()));
  });

/** Answers 503 if a check fails. */
export const healthRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { services, enforceRateLimit } = c.get("context");
  try {
    await enforceRateLimit("health");
  } catch (error) {
    // If the rate limiter itself fails, the checks below report it.
    if (error instanceof AppError) throw error;
  }
  const health = await checkHealth(services);
  return c.json(health, health.ok ? 200 : 503);
});
