import type Stripe from "stripe";
import { AppError } from "#domain/errors.ts";
import { SECOND_MS } from "#domain/units.ts";
import { logError } from "../log.ts";
import type { BillingSettings } from "../settings.ts";

/** A checkout waits for some five calls, one after the other. */
const TIMEOUT_MS = 10 * SECOND_MS;
const RETRIES = 2;
/** An event signed longer ago may be a replay. */
const TOLERANCE_SECONDS = 300;

const clients = new WeakMap<BillingSettings, Promise<Stripe>>();

/**
 * Stripe's own client, loaded with the first call that needs it: no other call pays for its start-up.
 * @throws AppError BILLING_UNAVAILABLE where Stripe is not set up
 */
export function openStripe(settings: BillingSettings): Promise<Stripe> {
  if (settings.mode !== "stripe") throw new AppError("BILLING_UNAVAILABLE");
  const known = clients.get(settings);
  if (known) return known;
  const client = load(settings);
  clients.set(settings, client);
  return client;
}

async function load({ stripeSecretKey, stripeApiUrl }: BillingSettings): Promise<Stripe> {
  const { default: StripeClient } = await import("stripe");
  const { protocol, hostname, port } = new URL(stripeApiUrl);
  return new StripeClient(stripeSecretKey, {
    httpClient: StripeClient.createFetchHttpClient(),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port === "" ? {} : { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

/**
 * Checks an event's signature (HMAC-SHA-256 over its time and bytes, at most 300 seconds old) and reads it.
 * @param body exactly as it came
 * @throws AppError SIGNATURE_INVALID
 */
export async function readEvent(settings: BillingSettings, body: string, signature: string): Promise<Stripe.Event> {
  const stripe = await openStripe(settings);
  const { default: StripeClient } = await import("stripe");
  const crypto = StripeClient.createSubtleCryptoProvider();
  try {
    const { stripeWebhookSecret } = settings;
    return await stripe.webhooks.constructEventAsync(body, signature, stripeWebhookSecret, TOLERANCE_SECONDS, crypto);
  } catch {
    throw new AppError("SIGNATURE_INVALID");
  }
}

/** What Stripe says of a request that it refuses. */
interface Refusal {
  type: string;
  code?: string;
  param?: string;
  message: string;
}

/** The refusal that an error of the client's stands for; null for one that is none: no answer, or a fault. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !("type" in error) || error.type !== "StripeInvalidRequestError") return null;
  return error as Error & Refusal;
}

/** Whether Stripe does not know what was named. */
export function isMissing(error: unknown): boolean {
  return refusalOf(error)?.code === "resource_missing";
}

/**
 * Runs calls to Stripe. A refusal that the calls expect is theirs to catch; whatever else goes wrong is told in plain
 * words, and to the log in its own.
 * @throws AppError STRIPE_UNREACHABLE
 */
export async function askingStripe<Result>(calls: () => Promise<Result>): Promise<Result> {
  try {
    return await calls();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!(error instanceof Error) || !("rawType" in error || error.name.startsWith("Stripe"))) throw error;
    logError("stripe.failed", error);
    throw new AppError("STRIPE_UNREACHABLE");
  }
}
