/** The events that an owner can choose for a webhook. */
export const WEBHOOK_EVENTS = [
  "transfer.uploaded",
  "transfer.downloaded",
  "transfer.expired",
  "transfer.deleted",
  "request.received",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `ping` is sent only when the owner asks for it. */
export const DELIVERY_TYPES = [...WEBHOOK_EVENTS, "ping"] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

/** An event as its row stores it. */
export interface StoredEvent {
  type: DeliveryType;
  /** `data` as JSON, without the address of the link, which `writeWebhookBody` adds. */
  payload: string;
  createdAt: Date;
}

/** @param origin of this site, for links @returns the request's body, which is the same at each try */
export function writeWebhookBody({ type, payload, createdAt }: StoredEvent, origin: string): string {
  const data = JSON.parse(payload) as { downloadId?: string };
  const link = data.downloadId === undefined ? {} : { link: `${origin}/download/${data.downloadId}` };
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: { ...data, ...link } });
}
