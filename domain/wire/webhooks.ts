import * as z from "zod/mini";
import { messageName } from "../field-messages.ts";
import { WEBHOOK_URL_MAX_LENGTH } from "../webhooks/url.ts";
import { WEBHOOK_EVENTS, type DeliveryType, type WebhookEvent } from "../webhooks/events.ts";
import { requiredText } from "./checks.ts";

/** The rest of the rules need the site's own address: `findUrlFault`. */
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

/** `cursor`: `next` of the page before. */
export const deliveriesQuery = z.object({
  cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w-]{1,64}$/))),
});

/** Moments are ISO 8601. */
export interface ListedWebhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  createdAt: string;
  enabled: boolean;
  /** When the first try failed after the last success. */
  failingSince: string | null;
  /** Until then the former secret signs too. */
  formerUntil: string | null;
}

/** The answer that shows a secret, once. */
export interface WebhookWithSecret extends ListedWebhook {
  secret: string;
}

export type DeliveryState = "waiting" | "delivered" | "failed";
/** Why a try had no answer: the address is no longer allowed, or the server cannot read its secret any more. */
export type DeliveryFault = "timeout" | "unreachable" | "address" | "secret";

export interface ListedDelivery {
  id: string;
  /** The receiver's `webhook-id`. */
  eventId: string;
  type: DeliveryType;
  state: DeliveryState;
  attempts: number;
  createdAt: string;
  /** Null unless it waits. */
  nextAttemptAt: string | null;
  /** The status of the last answer. */
  lastStatus: number | null;
  lastError: DeliveryFault | null;
}

export interface DeliveriesAnswer {
  items: ListedDelivery[];
  /** Null at the end. */
  next: string | null;
}
