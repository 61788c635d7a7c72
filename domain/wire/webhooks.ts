import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { WEBHOOK_URL_MAX_LENGTH } from "../webhooks/url.ts";
import { WEBHOOK_EVENTS, type DeliveryType, type WebhookEvent } from "../webhooks/events.ts";
import { requiredText } from "./checks.ts";

/** `findUrlFault` checks the other rules for an address, which depend on the site's own address. */
const url = requiredText("webhookUrl", WEBHOOK_URL_MAX_LENGTH, "webhookUrl");
const events = z.pipe(
  z
    .array(z.enum(WEBHOOK_EVENTS))
    .check(z.minLength(1, messageName("webhookEvents")), z.maxLength(WEBHOOK_EVENTS.length)),
  z.transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event))),
);

export const createWebhookRequest = z.object({ url, events });
/** A form sends each checked event under its name. */
export const webhookForm = z.pipe(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((form) => ({ url: form.url, events: WEBHOOK_EVENTS.filter((event) => event in form) })),
  ),
  createWebhookRequest,
);
export const changeWebhookRequest = z.object({
  url: z.optional(url),
  events: z.optional(events),
  enabled: z.optional(z.boolean()),
});

/** `cursor`: `next` of the previous page. */
export const deliveriesQuery = z.object({
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w-]{1,64}$/))),
});

/** A webhook as its owner sees it. Moments are ISO 8601. */
export interface ListedWebhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  createdAt: string;
  enabled: boolean;
  /** When the first try after the last success failed; null if no try has failed since. */
  failingSince: string | null;
  /** Until this moment deliveries are also signed with the former secret. Null without a former secret. */
  formerUntil: string | null;
}

/** The only answer that shows a webhook's secret. */
export interface WebhookWithSecret extends ListedWebhook {
  secret: string;
}

export type DeliveryState = "waiting" | "delivered" | "failed";
/**
 * Why a try got no answer. `address`: the address is no longer allowed. `secret`: the server cannot decrypt the
 * webhook's secret.
 */
export type DeliveryFault = "timeout" | "unreachable" | "address" | "secret";

export interface ListedDelivery {
  id: string;
  /** The header `webhook-id` that the receiver gets. */
  eventId: string;
  type: DeliveryType;
  state: DeliveryState;
  attempts: number;
  createdAt: string;
  /** Null unless the delivery waits for its next try. */
  nextAttemptAt: string | null;
  /** The status of the receiver's last answer. */
  lastStatus: number | null;
  lastError: DeliveryFault | null;
}

export interface DeliveriesAnswer {
  items: ListedDelivery[];
  /** Null on the last page. */
  next: string | null;
}
