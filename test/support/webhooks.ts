import { createHmac, timingSafeEqual } from "node:crypto";
import { inject } from "vitest";
import { WEBHOOK_EVENTS, webhookBody, type WebhookBody, type WebhookEvent } from "#domain/webhooks/events.ts";
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

/** Standard Webhooks allows a difference of this time. */
const TOLERANCE_SECONDS = 5 * 60;

/** As a receiver checks a request (Standard Webhooks). @param now epoch milliseconds */
export function isSigned({ headers, body }: ReceivedRequest, secret: string, now = Date.now()): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac("sha256", fromBase64(secret.replace("whsec_", "")))
    .update(`${id}.${timestamp}.${body}`)
    .digest();
  return (signatures ?? "").split(" ").some((signature) => {
    const [version, mac = ""] = signature.split(",");
    const bytes = fromBase64(mac);
    return version === "v1" && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
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
