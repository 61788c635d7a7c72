import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import type { PlanId } from "#domain/plans.ts";
import { parseReturnUrl } from "#domain/return-url.ts";
import { lookupKeyOf } from "#domain/stripe.ts";
import { SECOND_MS } from "#domain/units.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import type { BillingSettings } from "../settings.ts";

/** The time-out of one call to Stripe. A checkout makes about five calls in sequence. */
const TIMEOUT_MS = 10 * SECOND_MS;
const MAX_RETRIES = 2;
/** Rejects signatures older than 300 s (Stripe's default), which may be replayed. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

const clients = new WeakMap<BillingSettings, Promise<Stripe>>();

/** Imports Stripe on first use, to keep the Worker's start-up fast. @throws AppError BILLING_UNAVAILABLE */
export function openStripe(settings: BillingSettings): Promise<Stripe> {
  if (settings.mode !== "stripe") throw new AppError("BILLING_UNAVAILABLE");
  const known = clients.get(settings);
  if (known) return known;
  const client = createClient(settings);
  clients.set(settings, client);
  return client;
}

async function createClient({ stripeSecretKey, stripeApiUrl }: BillingSettings): Promise<Stripe> {
  const { default: StripeClient } = await import("stripe");
  const { protocol, hostname, port } = new URL(stripeApiUrl);
  return new StripeClient(stripeSecretKey, {
    httpClient: StripeClient.createFetchHttpClient(),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port === "" ? {} : { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
}

/** Verifies a Stripe event. @param body the unchanged body, which is signed @throws AppError SIGNATURE_INVALID */
export async function readEvent(settings: BillingSettings, body: string, signature: string): Promise<Stripe.Event> {
  const stripe = await openStripe(settings);
  const { default: StripeClient } = await import("stripe");
  const crypto = StripeClient.createSubtleCryptoProvider();
  try {
    const { stripeWebhookSecret } = settings;
    return await stripe.webhooks.constructEventAsync(
      body,
      signature,
      stripeWebhookSecret,
      SIGNATURE_TOLERANCE_SECONDS,
      crypto,
    );
  } catch {
    throw new AppError("SIGNATURE_INVALID");
  }
}

interface InvalidRequest {
  type: string;
  code?: string;
  param?: string;
  message: string;
}

export function asInvalidRequest(error: unknown): InvalidRequest | null {
  if (!(error instanceof Error) || !("type" in error) || error.type !== "StripeInvalidRequestError") return null;
  return error as Error & InvalidRequest;
}

export function isResourceMissing(error: unknown): boolean {
  return asInvalidRequest(error)?.code === "resource_missing";
}

/** Runs calls to Stripe, and logs a Stripe error. @throws AppError STRIPE_UNREACHABLE */
export async function callStripe<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!(error instanceof Error) || !("rawType" in error || error.name.startsWith("Stripe"))) throw error;
    logError("stripe.failed", error);
    throw new AppError("STRIPE_UNREACHABLE");
  }
}

/** A plan's price, created by `npm run stripe:setup`. @throws AppError BILLING_UNAVAILABLE, STRIPE_UNREACHABLE */
export async function findPrice({ settings }: Services, planType: PlanId): Promise<Stripe.Price> {
  const stripe = await openStripe(settings.billing);
  const lookupKey = lookupKeyOf(planType);
  const { data } = await callStripe(() => stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 }));
  const [price] = data;
  if (price) return price;
  logError("billing.price_missing", "run `npm run stripe:setup`", { lookupKey });
  throw new AppError("BILLING_UNAVAILABLE");
}

/** Stripe replaces this placeholder with the checkout's id. */
const SESSION_ID = "{CHECKOUT_SESSION_ID}";

/** @param requested a path, or a URL of this site's origin @throws AppError REDIRECT_REFUSED for another origin */
export function parseRedirect(origin: string, requested: string | undefined, fallback: string): URL {
  const url = parseReturnUrl(requested ?? fallback, origin);
  if (!url) throw new AppError("REDIRECT_REFUSED");
  return url;
}

export function withSessionId(url: URL): string {
  const copy = new URL(url);
  copy.searchParams.delete("session_id");
  // `searchParams` would encode the braces, and Stripe would not recognise the placeholder.
  copy.search = `${copy.search === "" ? "?" : `${copy.search}&`}session_id=${SESSION_ID}`;
  return copy.href;
}

export function withoutSessionId(url: URL): string {
  const copy = new URL(url);
  copy.searchParams.delete("session_id");
  return copy.href;
}
