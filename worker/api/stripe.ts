import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { MIB } from "#domain/units.ts";
import { handleEvent } from "../billing/webhook.ts";
import type { AppEnv } from "../app-env.ts";
import { readText } from "./input.ts";

/** The largest Stripe events have a few hundred kilobytes. */
const EVENT_MAX_BYTES = MIB;

/** Stripe's signature authenticates the call. */
export const stripeRoutes = new Hono<AppEnv>().post("/webhook", async (c) => {
  const { services } = c.get("context");
  if (services.settings.billing.mode !== "stripe") throw new AppError("BILLING_UNAVAILABLE");
  const signature = c.req.header("stripe-signature");
  if (signature === undefined) throw new AppError("SIGNATURE_INVALID");
  await handleEvent(services, await readText(c.req.raw, EVENT_MAX_BYTES), signature);
  return c.json({ received: true });
});
