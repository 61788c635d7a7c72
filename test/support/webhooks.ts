import { env } from "cloudflare:workers";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, inject, vi } from "vitest";
import { webhookBody, type WebhookBody } from "#domain/webhooks/body.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "#domain/webhooks/events.ts";
import type { ListedDelivery, WebhookWithSecret } from "#domain/wire.ts";
import { servicesFor } from "#worker/services.ts";
import { queueDue } from "#worker/webhooks/deliver.ts";
import { consumeAtOnce } from "./consume-at-once.ts";
import { stopClockAt, type Client } from "./worker.ts";
import type { ReceivedRequest, ToldAnswer } from "./webhook-receiver/receiver.ts";

/** One address of the receiver, and what came to it. */
export class ReceiverInbox {
  readonly name = crypto.randomUUID();
  readonly #origin = inject("webhookReceiver");

  get url(): string {
    return `${this.#origin}/hook/${this.name}`;
  }

  async answerNext(...answers: ToldAnswer[]): Promise<void> {
    await fetch(`${this.#origin}/answers/${this.name}`, { method: "PUT", body: JSON.stringify(answers) });
  }

  /** Waits until so many requests have come. */
  async received(count: number): Promise<ReceivedRequest[]> {
    return (await this.#report(count)).requests;
  }

  async mostAtOnce(): Promise<number> {
    return (await this.#report(0)).mostOpen;
  }

  /** The parsed bodies; each follows the schema. */
  async bodies(count: number): Promise<WebhookBody[]> {
    return (await this.received(count)).map(({ body }) => webhookBody.parse(JSON.parse(body)));
  }

  async #report(count: number): Promise<{ requests: ReceivedRequest[]; mostOpen: number }> {
    return (await fetch(`${this.#origin}/requests/${this.name}?count=${count}`)).json();
  }
}

/**
 * Checks a request as receivers do: with the package of Standard Webhooks, which also rejects what is older or newer than
 * five minutes.
 * @param now epoch milliseconds, for a request that was sent under a moved clock
 */
export function isSigned({ headers, body }: ReceivedRequest, secret: string, now?: number): boolean {
  try {
    if (now !== undefined) vi.setSystemTime(now);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  } finally {
    vi.useRealTimers();
  }
}

/** By default for every event. */
export async function addWebhook(
  owner: Client,
  url: string,
  events: readonly WebhookEvent[] = WEBHOOK_EVENTS,
): Promise<WebhookWithSecret> {
  const response = await owner.post("/api/webhooks", { url, events });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

/** Newest first. */
export async function deliveriesOf(owner: Client, webhookId: string): Promise<ListedDelivery[]> {
  const response = await owner.fetch(`/api/webhooks/${webhookId}/deliveries`);
  return (await response.json<{ items: ListedDelivery[] }>()).items;
}

const atOnce: Env = { ...env };
consumeAtOnce(atOnce);

/**
 * Does the cron's chore at a time. The queue brings at once what the chore gives to it. @returns how many deliveries were
 * due
 */
export async function runChoreAt(epochMs: number): Promise<number> {
  stopClockAt(epochMs);
  try {
    return await queueDue(servicesFor(atOnce), Date.now);
  } finally {
    vi.useRealTimers();
  }
}

/** Writes deliveries that are due at once and that no queue knows. @returns their ids */
export async function addDeliveries(webhookId: string, count: number): Promise<string[]> {
  const row = `insert into webhook_deliveries
    (id, webhook_id, file_id, event_id, type, payload, state, attempts, next_attempt_at, created_at)
    values (?1, ?2, 'f', ?1, 'transfer.deleted', '{}', 'waiting', 0, 0, ?3)`;
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await env.DB.batch(ids.map((id) => env.DB.prepare(row).bind(id, webhookId, Date.now())));
  return ids;
}

/**
 * Waits until the deliveries that have been sent to the queue are tried: sends one more, to an address that is not
 * allowed. The local queue hands messages over in their order.
 */
export async function queuedDeliveriesTried(): Promise<void> {
  const name = crypto.randomUUID();
  const run = (query: string) => env.DB.prepare(query).bind(name, Date.now());
  await env.DB.batch([
    run(`insert into users (id, email, current_period_start, current_period_end, created_at, updated_at)
      values (?1, ?1 || '@example.com', ?2, ?2, ?2, ?2)`),
    run(`insert into webhooks (id, user_id, url, events, secret, created_at)
      values (?1, ?1, 'ftp://example.com', '[]', '', ?2)`),
  ]);
  const [id = ""] = await addDeliveries(name, 1);
  await env.WEBHOOKS.send(id);
  const isTried = env.DB.prepare("select 1 from webhook_deliveries where id = ? and attempts = 1").bind(id);
  await vi.waitUntil(async () => (await isTried.first()) !== null, 60_000);
}
