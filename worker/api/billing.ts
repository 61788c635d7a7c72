import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import { MIB } from "#domain/units.ts";
import { checkoutRequest, currentPlanQuery, invoicesQuery, manualUpdateRequest, portalRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { convertToStripe, startCheckout } from "../billing/checkout.ts";
import { getCurrentPlan, refreshCurrentPlan } from "../billing/current-plan.ts";
import { listInvoices } from "../billing/invoices.ts";
import { listPlans } from "../billing/listed-plans.ts";
import { applyPayment } from "../billing/payment.ts";
import { openPortal } from "../billing/portal.ts";
import { handleEvent } from "../billing/sync.ts";
import { translateError } from "../errors/translate-error.ts";
import { parse, readJson, readOptionalJson, requireUser, readText } from "./input.ts";

export const subscriptionRoutes = new Hono<AppEnv>()
  .get("/plans", (c) => c.json(listPlans(requestLocale(c.req.raw.headers))))
  .get("/current-plan", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const { refresh } = parse(currentPlanQuery, c.req.query());
    if (refresh !== "true") return c.json(await getCurrentPlan(services, user, Date.now()));
    await enforceRateLimit("fetchFromStripe", user.id);
    return c.json(await refreshCurrentPlan(services, user, Date.now()));
  })
  .get("/invoices", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const { after } = parse(invoicesQuery, c.req.query());
    await enforceRateLimit("fetchFromStripe", user.id);
    return c.json(await listInvoices(services, user, after));
  })
  .post("/checkout", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const options = await readJson(c, checkoutRequest);
    await enforceRateLimit("checkout", user.id);
    return c.json(await withErrorMessage(c, () => startCheckout(services, user, options, Date.now())));
  })
  .post("/portal", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const { returnUrl } = await readOptionalJson(c, portalRequest);
    await enforceRateLimit("portal", user.id);
    return c.json(await openPortal(services, user, returnUrl));
  })
  .post("/convert-to-stripe", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    await enforceRateLimit("checkout", user.id);
    return c.json(await withErrorMessage(c, () => convertToStripe(services, user, Date.now())));
  })
  .post("/manual-update", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const claimed = await readJson(c, manualUpdateRequest);
    await enforceRateLimit("manualUpdate", user.id);
    return c.json(await applyPayment(services, user, claimed, Date.now()));
  });

/** The contract of these calls requires the message as `error` (decision 024). */
async function withErrorMessage<Answer>(c: Context<AppEnv>, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError) throw error.with({ error: translateError(error, requestLocale(c.req.raw.headers)) });
    throw error;
  }
}

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
