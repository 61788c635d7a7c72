import { realpathSync } from "node:fs";
import Stripe from "stripe";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { isFree, PLANS, type Plan } from "#domain/plans.ts";
import { lookupKeyOf, STRIPE_APP, STRIPE_EVENTS } from "#domain/stripe.ts";
import { plans } from "#messages/en/plans.ts";

/** What setup created or found unchanged. */
export interface StripeSetup {
  prices: { plan: string; price: string; isNew: boolean }[];
  configuration: string;
  endpoint: string;
  /** Stripe shows the secret only when the endpoint is created; null for an endpoint that existed. */
  webhookSecret: string | null;
}

interface SoldPlan {
  plan: Plan;
  product: string;
  price: string;
  isNew: boolean;
}

/**
 * Creates or updates products, prices, billing portal and webhook from `domain/plans.ts`. Safe to repeat. Running
 * subscriptions keep their price.
 * @param origin the deployment's address
 */
export async function setUpStripe(stripe: Stripe, origin: string): Promise<StripeSetup> {
  const sold: SoldPlan[] = [];
  for (const plan of PLANS) if (!isFree(plan.id)) sold.push(await sell(stripe, plan));
  const endpoint = await setUpWebhook(stripe, `${origin}/api/stripe/webhook`);
  return {
    prices: sold.map(({ plan, price, isNew }) => ({ plan: plan.id, price, isNew })),
    configuration: await setUpPortal(stripe, origin, sold),
    endpoint: endpoint.id,
    webhookSecret: endpoint.secret ?? null,
  };
}

async function sell(stripe: Stripe, plan: Plan): Promise<SoldPlan> {
  const product = await setUpProduct(stripe, plan);
  const lookupKey = lookupKeyOf(plan.id);
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  const [known] = data;
  if (known && isPriceOf(known, plan, product)) return { plan, product, price: known.id, isNew: false };
  const price = await stripe.prices.create({
    product,
    currency: "usd",
    unit_amount: plan.priceUsdCents,
    recurring: { interval: "month" },
    lookup_key: lookupKey,
    // The old price loses its lookup key; subscriptions to the old price keep paying the old price.
    transfer_lookup_key: true,
    metadata: { app: STRIPE_APP, planType: plan.id },
  });
  return { plan, product, price: price.id, isNew: true };
}

async function setUpProduct(stripe: Stripe, plan: Plan): Promise<string> {
  const id = `${STRIPE_APP}_${plan.id}`;
  const shown = { name: `${PRODUCT_NAME} ${plan.name}`, description: plans[plan.id], metadata: { app: STRIPE_APP } };
  try {
    const product = await stripe.products.retrieve(id);
    if (product.name !== shown.name || product.description !== shown.description)
      await stripe.products.update(id, shown);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== "resource_missing") throw error;
    await stripe.products.create({ id, ...shown });
  }
  return id;
}

function isPriceOf(price: Stripe.Price, plan: Plan, product: string): boolean {
  const { currency, recurring, unit_amount: amount, metadata } = price;
  const isSame = price.product === product && metadata.planType === plan.id;
  return isSame && currency === "usd" && amount === plan.priceUsdCents && recurring?.interval === "month";
}

async function setUpPortal(stripe: Stripe, origin: string, sold: SoldPlan[]): Promise<string> {
  const settings = {
    default_return_url: `${origin}/dashboard?stripe_portal_return=true`,
    features: {
      customer_update: { enabled: true, allowed_updates: ["email" as const, "address" as const, "tax_id" as const] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" as const },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ["price" as const],
        proration_behavior: "always_invoice" as const,
        products: sold.map(({ product, price }) => ({ product, prices: [price] })),
      },
    },
    metadata: { app: STRIPE_APP },
  };
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const known = data.find(({ metadata }) => metadata?.app === STRIPE_APP);
  const { id } = known
    ? await stripe.billingPortal.configurations.update(known.id, settings)
    : await stripe.billingPortal.configurations.create(settings);
  return id;
}

async function setUpWebhook(stripe: Stripe, url: string): Promise<Stripe.WebhookEndpoint> {
  const events = [...STRIPE_EVENTS];
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  const known = data.find((endpoint) => endpoint.url === url);
  if (known) return stripe.webhookEndpoints.update(known.id, { enabled_events: events });
  return stripe.webhookEndpoints.create({
    url,
    enabled_events: events,
    metadata: { app: STRIPE_APP },
    // The webhook gets the API version for which the package's types are made.
    api_version: Stripe.API_VERSION,
  });
}

export function stripeClient(secretKey: string, apiUrl: string): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  return new Stripe(secretKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port === "" ? {} : { port }),
  });
}

// Node 22 has no import.meta.main.
if (realpathSync(process.argv[1] ?? ".") === import.meta.filename) {
  const { STRIPE_SECRET_KEY = "", APP_ORIGIN = "", STRIPE_API_URL = "https://api.stripe.com" } = process.env;
  if (STRIPE_SECRET_KEY === "" || !URL.canParse(APP_ORIGIN)) {
    console.error("Set STRIPE_SECRET_KEY, and APP_ORIGIN to the address people open.");
    process.exit(1);
  }
  const made = await setUpStripe(stripeClient(STRIPE_SECRET_KEY, STRIPE_API_URL), new URL(APP_ORIGIN).origin);
  for (const { plan, price, isNew } of made.prices) console.log(`${plan}: ${price}${isNew ? " (new)" : ""}`);
  console.log(`billing portal: ${made.configuration}\nwebhook: ${made.endpoint}`);
  console.log(
    made.webhookSecret === null
      ? "The webhook was there. Its secret is the one that was shown when it was made; Stripe's dashboard has it."
      : `Store this with \`wrangler secret put STRIPE_WEBHOOK_SECRET\`:\n${made.webhookSecret}`,
  );
}
