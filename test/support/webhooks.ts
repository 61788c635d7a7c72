import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, inject, vi } from "vitest";
import { webhookBody, type WebhookBody } from "#domain/webhooks/body.ts";
import { WEBHOOK_EVENTS, type WebhookEvent } from "#domain/webhooks/events.ts";
import type { ListedDelivery, WebhookWithSecret } from "#domain/wire.ts";
import type { Client } from "./worker.ts";
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
