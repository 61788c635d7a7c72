import type { Context } from "hono";
import type { BILLING_CALLS } from "#domain/calls/billing.ts";
import type { PROVEN_CALLS } from "#domain/calls/proven.ts";
import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import { MIB } from "#domain/units.ts";
import { portalRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { convertToStripe, startCheckout } from "../billing/checkout.ts";
import { getCurrentPlan, refreshCurrentPlan } from "../billing/current-plan.ts";
import { listInvoices } from "../billing/invoices.ts";
import { listPlans } from "../billing/listed-plans.ts";
import { applyPayment } from "../billing/payment.ts";
import { openPortal } from "../billing/portal.ts";
import { handleEvent } from "../billing/sync.ts";
import { translateError } from "../errors/translate-error.ts";
import { readJson, readText } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const billingHandlers: Handlers<typeof BILLING_CALLS> = {
  "GET /api/subscription/plans": ({ visit }) => listPlans(requestLocale(visit.headers)),
  "GET /api/subscription/current-plan": async ({ context, services, user, query, now }) => {
    if (query.refresh !== "true") return getCurrentPlan(services, user, now);
    await context.enforceRateLimit("fetchFromStripe", user.id);
    return refreshCurrentPlan(services, user, now);
  },
  "GET /api/subscription/invoices": ({ services, user, query }) => listInvoices(services, user, query.after),
  "POST /api/subscription/checkout": ({ c, services, user, body, now }) =>
    withErrorMessage(c, () => startCheckout(services, user, body, now)),
  "POST /api/subscription/portal": async ({ c, context, services, user }) => {
    const { returnUrl } = c.req.raw.body === null ? {} : await readJson(c, portalRequest);
    await context.enforceRateLimit("portal", user.id);
    return openPortal(services, user, returnUrl);
  },
  "POST /api/subscription/convert-to-stripe": ({ c, services, user, now }) =>
    withErrorMessage(c, () => convertToStripe(services, user, now)),
  "POST /api/subscription/manual-update": ({ services, user, body, now }) => applyPayment(services, user, body, now),
};

/**
 * The contract of `checkout` and `convert-to-stripe` requires the error's message in the field `error` (decision 024).
 */
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

/** The handler of the call that Stripe's signature authenticates. */
export const stripeHandlers: Pick<Handlers<typeof PROVEN_CALLS>, "POST /api/stripe/webhook"> = {
  "POST /api/stripe/webhook": async ({ c, services }) => {
    if (services.settings.billing.mode !== "stripe") throw new AppError("BILLING_UNAVAILABLE");
    const signature = c.req.header("stripe-signature");
    if (signature === undefined) throw new AppError("SIGNATURE_INVALID");
    await handleEvent(services, await readText(c.req.raw, EVENT_MAX_BYTES), signature);
    return { received: true };
  },
};
