import * as z from "zod/mini";
import { at, bytes, count, described, expiresAt, link } from "../v1/fields.ts";
import type { DeliveryType } from "./events.ts";

const transfer = {
  id: described(z.string(), "Names the transfer, as in `/transfers/{id}`."),
  downloadId: described(z.string(), "The last part of the link."),
  link,
  name: described(
    z.nullable(z.string()),
    "A file's name or a transfer's title. Null for an encrypted link: the server does not know it.",
  ),
  size: bytes,
  entries: described(z.nullable(count), "How many files. Null for a single file."),
};

function bodyOf<Type extends DeliveryType, Data extends z.core.$ZodLooseShape>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: at("When it happened."), data: z.object(data) });
}

/** Describes the JSON of each event, by the event's type. The statements of `worker/db/webhook-events.ts` write it. */
export const WEBHOOK_BODIES = {
  "transfer.uploaded": bodyOf("transfer.uploaded", { ...transfer, expiresAt }),
  "transfer.downloaded": bodyOf("transfer.downloaded", {
    ...transfer,
    count: described(count, "Finished downloads since `timestamp`."),
  }),
  "transfer.expired": bodyOf("transfer.expired", {
    ...transfer,
    reason: described(z.enum(["time", "downloads"]), "`downloads`: its last allowed download was used."),
  }),
  "transfer.deleted": bodyOf("transfer.deleted", transfer),
  "request.received": bodyOf("request.received", {
    id: transfer.id,
    name: z.string(),
    size: bytes,
    entries: transfer.entries,
    requestId: z.string(),
    requestTitle: described(z.nullable(z.string()), "Null when the request was deleted meanwhile."),
    senderName: described(z.nullable(z.string()), "As the sender said, like `senderEmail`."),
    senderEmail: z.nullable(z.string()),
  }),
  ping: bodyOf("ping", { webhookId: z.string() }),
} as const satisfies Record<DeliveryType, z.ZodMiniType>;

export const webhookBody = z.union(Object.values(WEBHOOK_BODIES));
export type WebhookBody = z.infer<typeof webhookBody>;

/** The headers of every delivery (Standard Webhooks 1.0). */
export const webhookHeaders = z.object({
  "webhook-id": described(z.string(), "Names the event: the same one may come again."),
  "webhook-timestamp": described(z.string(), "When it was sent, in epoch seconds. Reject what is five minutes away."),
  "webhook-signature": described(
    z.string(),
    "For each secret `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in Base64, with a space between.",
  ),
});

const TIMESTAMP = "2026-11-23T12:00:00.000Z";
const TRANSFER = {
  id: "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10",
  downloadId: "q3Zc8vV1sTn0bKx5Lr2YwA",
  name: "report.pdf",
  size: 5,
  entries: null,
  link: "https://files.example/download/q3Zc8vV1sTn0bKx5Lr2YwA",
};

type Example<Type extends DeliveryType> = z.infer<(typeof WEBHOOK_BODIES)[Type]>;

/** The summary and example of each event in the API description. */
export const WEBHOOK_EXAMPLES: { [Type in DeliveryType]: { summary: string; body: Example<Type> } } = {
  "transfer.uploaded": {
    summary: "An upload has finished",
    body: {
      type: "transfer.uploaded",
      timestamp: TIMESTAMP,
      data: { ...TRANSFER, expiresAt: "2026-11-24T12:00:00.000Z" },
    },
  },
  "transfer.downloaded": {
    summary: "Downloads have finished; those within a minute are one event",
    body: { type: "transfer.downloaded", timestamp: TIMESTAMP, data: { ...TRANSFER, count: 1 } },
  },
  "transfer.expired": {
    summary: "The bytes of an expired link were deleted",
    body: { type: "transfer.expired", timestamp: TIMESTAMP, data: { ...TRANSFER, reason: "time" } },
  },
  "transfer.deleted": {
    summary: "Its owner has deleted it",
    body: { type: "transfer.deleted", timestamp: TIMESTAMP, data: TRANSFER },
  },
  "request.received": {
    summary: "Somebody has sent files through an upload request",
    body: {
      type: "request.received",
      timestamp: TIMESTAMP,
      data: {
        id: "2d8f0a52-9c1b-4d5e-8b61-0f3c7a9e4b10",
        name: "Photos",
        size: 5,
        entries: 1,
        requestId: "9f1c2e7a-40b8-4b1e-9a57-d2c36e8f0b44",
        requestTitle: "Photos of the trip",
        senderName: "Ann",
        senderEmail: null,
      },
    },
  },
  ping: {
    summary: "Its owner asked for it",
    body: {
      type: "ping",
      timestamp: TIMESTAMP,
      data: { webhookId: "7c1e9f04-52b3-4c7e-9a3d-6b0f8d2e1a55" },
    },
  },
};

export const WEBHOOK_HEADER_EXAMPLES = {
  "webhook-id": "b7d3a1c8-4f6e-4a0b-8c52-91e0d4f7a236",
  "webhook-timestamp": "1795435200",
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
};
