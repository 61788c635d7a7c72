import * as z from "zod/mini";

/** What an owner can choose to be told of. */
export const WEBHOOK_EVENTS = [
  "transfer.uploaded",
  "transfer.downloaded",
  "transfer.expired",
  "transfer.deleted",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** `ping` is sent only when the owner asks for it. */
export const DELIVERY_TYPES = [...WEBHOOK_EVENTS, "ping"] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

const transfer = {
  id: z.string(),
  downloadId: z.string(),
  link: z.string(),
  /** A file's name or a transfer's title. Null for an encrypted link: the server does not know it. */
  name: z.nullable(z.string()),
  /** Bytes. */
  size: z.number(),
  /** How many files; null for a single file. */
  entries: z.nullable(z.number()),
};

const timestamp = z.iso.datetime();

/** The JSON that is sent. `timestamp` is when it happened. */
export const webhookBody = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("transfer.uploaded"),
    timestamp,
    data: z.object({ ...transfer, expiresAt: z.nullable(timestamp) }),
  }),
  z.object({
    type: z.literal("transfer.downloaded"),
    timestamp,
    /** Finished downloads since `timestamp`. */
    data: z.object({ ...transfer, count: z.number() }),
  }),
  z.object({
    type: z.literal("transfer.expired"),
    timestamp,
    /** `downloads`: its last allowed download was used. */
    data: z.object({ ...transfer, reason: z.enum(["time", "downloads"]) }),
  }),
  z.object({ type: z.literal("transfer.deleted"), timestamp, data: z.object(transfer) }),
  z.object({ type: z.literal("ping"), timestamp, data: z.object({ webhookId: z.string() }) }),
]);
export type WebhookBody = z.infer<typeof webhookBody>;

/** An event as its row has it. */
export interface StoredEvent {
  type: DeliveryType;
  /** `data` as JSON, without the link. */
  payload: string;
  createdAt: Date;
}

/** @param origin of this site, for links @returns the request's body, the same at each try */
export function writeWebhookBody({ type, payload, createdAt }: StoredEvent, origin: string): string {
  const data = JSON.parse(payload) as { downloadId?: string };
  const link = data.downloadId === undefined ? {} : { link: `${origin}/download/${data.downloadId}` };
  return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: { ...data, ...link } });
}
