import { sealSecret } from "#domain/data-keys.ts";
import { findUrlFault, mostWebhooks } from "#domain/webhooks/url.ts";
import { FORMER_SECRET_MS, newWebhookSecret } from "#domain/webhooks/delivery.ts";
import type { WebhookEvent } from "#domain/webhooks/events.ts";
import type { CurrentUser, ListedWebhook, WebhookWithSecret } from "#domain/wire.ts";
import { placeOf, type Visit } from "../accounts/visit.ts";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooksOf,
  moveWebhook,
  rotateSecret,
  updateWebhook,
  type WebhookChange,
  type WebhookRow,
} from "../db/webhooks.ts";
import { localizedError } from "../errors/translate-error.ts";
import { webhookChangedMessage } from "../mail/messages/webhooks.tsx";
import type { Services } from "../services.ts";
import { toIso } from "../urls.ts";
import { secretOwner } from "./send.ts";

/** Lists an account's webhooks, oldest first. @param now epoch milliseconds */
export async function listWebhooks({ db }: Services, user: CurrentUser, now: number): Promise<ListedWebhook[]> {
  const rows = await listWebhooksOf(db, user.id);
  return rows.map((row) => describe(row, now));
}

/**
 * Creates a webhook, and mails the account about the new webhook. @param now epoch milliseconds
 * @throws AppError BAD_REQUEST for an address that is not allowed, PLAN_LIMIT_EXCEEDED
 */
export async function createWebhook(
  services: Services,
  user: CurrentUser,
  { url, events }: { url: string; events: WebhookEvent[] },
  visit: Visit,
  now: number,
): Promise<WebhookWithSecret> {
  checkAddress(services, url);
  const id = crypto.randomUUID();
  const { secret, sealed } = await createSecret(services, id);
  const webhook = { id, userId: user.id, url, events, secret: sealed, createdAt: now };
  const most = mostWebhooks(user.planType);
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "webhook.added" } as const;
  const mail = prepareMail(services, user, "webhookAdded", url);
  if (!(await insertWebhook(services.db, webhook, most, event, mail))) {
    throw localizedError("PLAN_LIMIT_EXCEEDED", "tooManyWebhooks", { count: most }, { planLimitExceeded: true });
  }
  mail.send();
  return { id, url, events, createdAt: iso(now), enabled: true, failingSince: null, formerUntil: null, secret };
}

/**
 * Changes a webhook, and mails the account about a new address. @param now epoch milliseconds
 * @throws AppError NOT_FOUND, BAD_REQUEST for an address that is not allowed
 */
export async function changeWebhook(
  services: Services,
  user: CurrentUser,
  id: string,
  { url, ...words }: { url?: string } & WebhookChange,
  visit: Visit,
  now: number,
): Promise<ListedWebhook> {
  const { db } = services;
  if (url === undefined) return describe(requireWebhook(await updateWebhook(db, user.id, id, words, now)), now);
  checkAddress(services, url);
  const event = { ...placeOf(visit), userId: user.id, at: now, kind: "webhook.moved" } as const;
  const mail = prepareMail(services, user, "webhookMoved", url);
  const { row, isMoved } = await moveWebhook(db, id, url, words, event, mail);
  if (isMoved) mail.send();
  return describe(requireWebhook(row), now);
}

function prepareMail(
  { outbox, settings }: Services,
  { email }: CurrentUser,
  change: "webhookAdded" | "webhookMoved",
  url: string,
) {
  return outbox.prepare(webhookChangedMessage(email, change, url, `${settings.origin}/account`));
}

/** Makes a new secret. The former secret signs deliveries for one more day. @throws AppError NOT_FOUND */
export async function rotateWebhookSecret(
  services: Services,
  user: CurrentUser,
  id: string,
  now: number,
): Promise<WebhookWithSecret> {
  const { secret, sealed } = await createSecret(services, id);
  const row = await rotateSecret(services.db, user.id, id, sealed, now + FORMER_SECRET_MS);
  return { ...describe(requireWebhook(row), now), secret };
}

/** @throws AppError NOT_FOUND */
export async function removeWebhook({ db }: Services, user: CurrentUser, id: string): Promise<void> {
  if (!(await deleteWebhook(db, user.id, id))) requireWebhook(null);
}

/** @throws AppError NOT_FOUND, also for another person's webhook */
export async function getWebhook({ db }: Services, user: CurrentUser, id: string): Promise<WebhookRow> {
  return requireWebhook(await findWebhook(db, user.id, id));
}

function requireWebhook(row: WebhookRow | null): WebhookRow {
  if (!row) throw localizedError("NOT_FOUND", "noSuchWebhook", {});
  return row;
}

function checkAddress({ settings }: Services, url: string): void {
  const fault = findUrlFault(url, settings.origin, settings.appEnv === "production");
  if (fault) throw localizedError("BAD_REQUEST", fault, {}, { field: "url" });
}

async function createSecret({ dataKeys }: Services, id: string): Promise<{ secret: string; sealed: string }> {
  const secret = newWebhookSecret();
  return { secret, sealed: await sealSecret(await dataKeys(), secretOwner(id), secret) };
}

function describe(row: WebhookRow, now: number): ListedWebhook {
  const formerUntil = row.formerUntil?.getTime() ?? 0;
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    createdAt: row.createdAt.toISOString(),
    enabled: row.disabledAt === null,
    failingSince: toIso(row.failingSince?.getTime() ?? null),
    formerUntil: formerUntil > now ? iso(formerUntil) : null,
  };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
