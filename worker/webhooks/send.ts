import { PRODUCT_NAME } from "#domain/brand.ts";
import { openSecret, type DataKeys } from "#domain/data-keys.ts";
import { findUrlFault } from "#domain/webhooks/url.ts";
import { DELIVERY_TIMEOUT_MS, isDelivered, readRetryAfter, signedHeaders } from "#domain/webhooks/delivery.ts";
import { writeWebhookBody } from "#domain/webhooks/events.ts";
import type { DeliveryError, DeliveryRow } from "../db/webhook-deliveries.ts";
import type { WebhookRow } from "../db/webhooks.ts";
import type { Services } from "../services.ts";

export interface Attempt {
  isDelivered: boolean;
  /** The HTTP status; null without a response. */
  status: number | null;
  error: DeliveryError | null;
  retryAfterMs: number | null;
}

const failed = (error: DeliveryError): Attempt => ({ isDelivered: false, status: null, error, retryAfterMs: null });

/** Sends a delivery once. Ignores the response body. @param now epoch milliseconds; receivers reject old times */
export async function sendOnce(
  { settings, dataKeys }: Services,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  now: number,
): Promise<Attempt> {
  // The rules for addresses may have become stricter since the webhook's address was saved.
  if (findUrlFault(webhook.url, settings.origin, settings.appEnv === "production")) return failed("address");
  const secrets = await openSecrets(await dataKeys(), webhook, now);
  if (secrets.length === 0) return failed("secret");
  const body = writeWebhookBody(delivery, settings.origin);
  try {
    const response = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "user-agent": `${PRODUCT_NAME}-Webhooks/1.0`,
        ...(await signedHeaders(secrets, delivery.eventId, now, body)),
      },
      body,
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    });
    const { status } = response;
    await response.body?.cancel();
    const retryAfterMs = readRetryAfter(response.headers.get("retry-after"), now);
    return { isDelivered: isDelivered(status), status, error: null, retryAfterMs };
  } catch (error) {
    return failed(error instanceof Error && error.name === "TimeoutError" ? "timeout" : "unreachable");
  }
}

/** The owner name under which `DATA_KEY` seals a webhook's secrets. */
export function secretOwner(webhookId: string): string {
  return `webhook:${webhookId}`;
}

/** The webhook's secrets, the present one first. @returns none when the data key of the present secret is missing */
async function openSecrets(
  keys: DataKeys,
  { id, secret, formerSecret, formerUntil }: WebhookRow,
  now: number,
): Promise<string[]> {
  const opened = await openSecret(keys, secretOwner(id), secret);
  if (opened === null) return [];
  if (formerSecret === null || !formerUntil || formerUntil.getTime() <= now) return [opened];
  const former = await openSecret(keys, secretOwner(id), formerSecret);
  return former === null ? [opened] : [opened, former];
}
