import { Hono } from "hono";
import { requestLocale } from "#domain/locale.ts";
import { testEmailRequest } from "#domain/wire.ts";
import { requireAdmin } from "../admin/require-admin.ts";
import { fixCors } from "../diagnostics/fix-cors.ts";
import { sendTestEmail } from "../diagnostics/test-email.ts";
import type { AppEnv } from "../app-env.ts";
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
