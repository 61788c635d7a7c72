import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { checkHealth } from "../health/health.ts";
import type { AppEnv } from "../app-env.ts";

/** `/api/health`: whether the database, storage and Durable Objects answer. 503 when one does not. */
export const healthRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { services, enforceRateLimit } = c.get("context");
  try {
    await enforceRateLimit("health");
  } catch (error) {
    // Where the counters fail, that is what is to be told.
    if (error instanceof AppError) throw error;
  }
  const health = await checkHealth(services);
  return c.json(health, health.ok ? 200 : 503);
});
