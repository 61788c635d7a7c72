import { MINUTE_MS } from "#domain/units.ts";
import { DELIVERY_TIMEOUT_MS, isToBeDisabled, nextAttemptAt } from "#domain/webhooks/delivery.ts";
import {
  disableWebhook,
  markQueued,
  recordAttempt,
  takeDeliveries,
  type DeliveryRow,
} from "../db/webhook-deliveries.ts";
import { findOwnerEmail, findWebhooks, type WebhookRow } from "../db/webhooks.ts";
import { logError, logWarning } from "../log.ts";
import { webhookDisabledMessage } from "../mail/messages/webhooks.tsx";
import { inCalls } from "../queue-calls.ts";
import type { Services } from "../services.ts";
import { sendOnce, type Attempt } from "./send.ts";

/** The most deliveries that a run of the cron gives to the queue. */
const DELIVERIES_PER_RUN = 5000;
/** A delivery that nobody has taken this long after it was given to the queue is given once more. */
const LATE_MS = 5 * MINUTE_MS;
/** How long a delivery is reserved for its try. Longer than a batch, which ends with the time-out of its last try. */
export const CLAIM_MS = 2 * MINUTE_MS;
/** A batch begins no try later than this after its start, so that a receiver without answers costs it one time-out. */
const BATCH_MS = DELIVERY_TIMEOUT_MS;
/**
 * More requests would wait until others are answered, while their own time-out runs
 * (https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections).
 */
const MAX_CONNECTIONS = 6;

/**
 * Gives deliveries that are due to the queue. If the queue refuses some, tries the first of them here; the others come
 * with a later run. @param clock returns epoch milliseconds @returns how many were due
 */
export async function queueDue(services: Services, clock: () => number): Promise<number> {
  const now = clock();
  const due = await markQueued(services.db, now, now - LATE_MS, DELIVERIES_PER_RUN);
  for (const ids of inCalls(due)) {
    try {
      await services.queues.webhooks.sendBatch(ids.map((body) => ({ body })));
    } catch (error) {
      logError("webhook.not_queued", error, { deliveries: ids.length });
      await deliver(services, ids, clock);
      break;
    }
  }
  return due.length;
}

/**
 * Tries deliveries, one after the other to each host and in parallel to different hosts. Leaves those that are not due,
 * that somebody else has taken, or that are done. Those that it takes and does not try are due again after `CLAIM_MS`.
 * @param clock returns epoch milliseconds
 */
export async function deliver(services: Services, ids: readonly string[], clock: () => number): Promise<void> {
  const now = clock();
  const taken = await takeDeliveries(services.db, ids, now, now + CLAIM_MS);
  const rows = await findWebhooks(services.db, [...new Set(taken.map(({ webhookId }) => webhookId))]);
  const webhooks = new Map(rows.map((row) => [row.id, row]));
  const hosts = Map.groupBy(
    taken,
    ({ webhookId }) => new URL(webhooks.get(webhookId)?.url ?? "about:gone").host,
  ).values();
  const connections = Array.from({ length: MAX_CONNECTIONS }, async () => {
    // All take from one iterator, so each host is served once.
    for (const deliveries of hosts) await deliverToHost(services, deliveries, webhooks, clock, now + BATCH_MS);
  });
  await Promise.all(connections);
}

/** Never rejects: the batch's other hosts do not depend on this one. @param deadline of the last try's start */
async function deliverToHost(
  services: Services,
  deliveries: readonly DeliveryRow[],
  webhooks: ReadonlyMap<string, WebhookRow>,
  clock: () => number,
  deadline: number,
): Promise<void> {
  try {
    for (const delivery of deliveries) {
      const webhook = webhooks.get(delivery.webhookId);
      const now = clock();
      if (webhook && now < deadline) await deliverOnce(services, webhook, delivery, now);
    }
  } catch (error) {
    logError("webhook.try_failed", error, { deliveries: deliveries.length });
  }
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
