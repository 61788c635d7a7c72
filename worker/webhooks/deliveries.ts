import { AppError } from "#domain/errors.ts";
import { DELIVERY_RETENTION_MS } from "#domain/webhooks/delivery.ts";
import type { CurrentUser, DeliveriesAnswer, ListedDelivery } from "#domain/wire.ts";
import {
  DELIVERIES_PER_PAGE,
  claimDelivery,
  findDelivery,
  insertPing,
  listDeliveries,
  type DeliveryCursor,
  type DeliveryRow,
} from "../db/webhook-deliveries.ts";
import type { WebhookRow } from "../db/webhooks.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { CLAIM_MS, deliverOnce } from "./deliver.ts";
import { getWebhook } from "./manage.ts";

/** The deliveries of 30 days, newest first. @param cursor `next` of the page before @throws AppError NOT_FOUND */
export async function listWebhookDeliveries(
  services: Services,
  user: CurrentUser,
  webhookId: string,
  cursor: string | undefined,
  now: number,
): Promise<DeliveriesAnswer> {
  const webhook = await getWebhook(services, user, webhookId);
  const rows = await listDeliveries(services.db, webhook.id, now - DELIVERY_RETENTION_MS, readCursor(cursor));
  const items = rows.slice(0, DELIVERIES_PER_PAGE);
  const last = rows.length > items.length ? items.at(-1) : undefined;
  return { items: items.map(describe), next: last ? `${last.createdAt.getTime()}.${last.id}` : null };
}

/** Sends a ping once, and waits for the receiver's response. @throws AppError NOT_FOUND, WEBHOOK_DISABLED */
export async function pingWebhook(
  services: Services,
  user: CurrentUser,
  webhookId: string,
  now: number,
): Promise<ListedDelivery> {
  const webhook = requireEnabled(await getWebhook(services, user, webhookId));
  return deliverNow(services, webhook, await insertPing(services.db, webhook.id, now), now);
}

/** Sends a delivery again in any state, and waits for the response. @throws AppError NOT_FOUND, WEBHOOK_DISABLED */
export async function retryDelivery(
  services: Services,
  user: CurrentUser,
  webhookId: string,
  deliveryId: string,
  now: number,
): Promise<ListedDelivery> {
  const webhook = requireEnabled(await getWebhook(services, user, webhookId));
  const delivery = await claimDelivery(services.db, webhook.id, deliveryId, now + CLAIM_MS);
  if (!delivery) throw localizedError("NOT_FOUND", "noSuchDelivery", {});
  return deliverNow(services, webhook, delivery, now);
}

async function deliverNow(
  services: Services,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  now: number,
): Promise<ListedDelivery> {
  await deliverOnce(services, webhook, delivery, now);
  return describe((await findDelivery(services.db, webhook.id, delivery.id)) ?? delivery);
}

function requireEnabled(webhook: WebhookRow): WebhookRow {
  if (webhook.disabledAt) throw new AppError("WEBHOOK_DISABLED");
  return webhook;
}

function readCursor(cursor: string | undefined): DeliveryCursor | null {
  if (cursor === undefined) return null;
  const [createdAt, id = ""] = cursor.split(".");
  return { createdAt: Number(createdAt), id };
}

function describe(row: DeliveryRow): ListedDelivery {
  const state = row.state === "collecting" ? "waiting" : row.state;
  return {
    id: row.id,
    eventId: row.eventId,
    type: row.type,
    state,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: state === "waiting" ? row.nextAttemptAt.toISOString() : null,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
  };
}
