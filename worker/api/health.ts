import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { checkHealth } from "../diagnostics/health.ts";
import type { AppEnv } from "../app-env.ts";

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
