import { MINUTE_MS } from "#domain/units.ts";
import { isToBeDisabled, nextAttemptAt } from "#domain/webhooks/delivery.ts";
import {
  claimDueDeliveries,
  claimFirstDeliveries,
  disableWebhook,
  recordAttempt,
  type DeliveryRow,
} from "../db/webhook-deliveries.ts";
import { findOwnerEmail, findWebhooks, type WebhookRow } from "../db/webhooks.ts";
import { logError, logWarning } from "../log.ts";
import { webhookDisabledMessage } from "../mail/messages/webhooks.tsx";
import type { Services } from "../services.ts";
import { sendOnce, type Attempt } from "./send.ts";

const DELIVERIES_PER_RUN = 50;
/** A run starts no try later than this time after its own start, so that slow receivers do not hold up the cron. */
const RUN_MS = MINUTE_MS;
/** How long a run reserves deliveries. Longer than a run and the time-out of its last try. */
export const CLAIM_MS = 2 * MINUTE_MS;

/** Sends the deliveries that are due. @param clock returns epoch milliseconds @returns the number of successes */
export async function deliverDue(services: Services, clock: () => number): Promise<number> {
  const now = clock();
  const deliveries = await claimDueDeliveries(services.db, now, now + CLAIM_MS, DELIVERIES_PER_RUN);
  return deliverAll(services, deliveries, clock);
}

/**
 * Sends the events of a finished upload for the first time, after the response. The cron retries failed deliveries.
 * @param finished `hasEvents`: whether the upload caused webhook events
 */
export function deliverFirst(services: Services, fileId: string, finished: { hasEvents?: boolean }): void {
  if (!finished.hasEvents) return;
  const run = async () => {
    try {
      const deliveries = await claimFirstDeliveries(services.db, fileId, Date.now() + CLAIM_MS);
      await deliverAll(services, deliveries, Date.now);
    } catch (error) {
      logError("webhooks.first_try_failed", error, { fileId });
    }
  };
  services.waitUntil(run());
}

/** Sends deliveries one after the other per host, in parallel for different hosts. */
async function deliverAll(services: Services, deliveries: DeliveryRow[], clock: () => number): Promise<number> {
  const deadline = clock() + RUN_MS;
  const rows = await findWebhooks(services.db, [...new Set(deliveries.map(({ webhookId }) => webhookId))]);
  const webhooks = new Map(rows.map((row) => [row.id, row]));
  const byHost = Map.groupBy(deliveries, ({ webhookId }) => new URL(webhooks.get(webhookId)?.url ?? "about:gone").host);
  const counts = await Promise.all(
    [...byHost.values()].map(async (queue) => {
      let delivered = 0;
      for (const delivery of queue) {
        const webhook = webhooks.get(delivery.webhookId);
        if (!webhook || clock() >= deadline) continue;
        const attempt = await deliverOnce(services, webhook, delivery, clock());
        if (attempt.isDelivered) delivered += 1;
      }
      return delivered;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Sends a delivery once, and stores the result. @param now epoch milliseconds */
export async function deliverOnce(
  services: Services,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  now: number,
): Promise<Attempt> {
  const attempt = await sendOnce(services, webhook, delivery, now);
  const { isDelivered, status, error } = attempt;
  const mayTryAgain = !isDelivered && delivery.type !== "ping";
  const next = mayTryAgain ? nextAttemptAt(delivery.attempts + 1, now, Math.random(), attempt.retryAfterMs) : null;
  const record = { isDelivered, status, error, at: now, nextAttemptAt: next };
  const failingSince = await recordAttempt(services.db, delivery, record);
  const isDead = failingSince !== null && isToBeDisabled(status, failingSince, now);
  if (mayTryAgain && isDead) await disable(services, webhook, status, now);
  return attempt;
}

async function disable(services: Services, webhook: WebhookRow, status: number | null, now: number): Promise<void> {
  const email = await findOwnerEmail(services.db, webhook.userId);
  if (email === null) return;
  const message = webhookDisabledMessage(email, webhook.url, status === 410, `${services.settings.origin}/account`);
  const mail = services.outbox.prepare(message);
  if (!(await disableWebhook(services.db, webhook.id, mail, now))) return;
  mail.send();
  logWarning("webhook.disabled", { webhookId: webhook.id, status });
}
