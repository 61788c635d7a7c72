import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";

export const webhookKeys = {
  webhooks: ["/api/webhooks"],
  /** Followed by the id of a webhook. */
  deliveries: ["/api/webhooks/deliveries"],
} as const;

export const webhooksApi = {
  list: () => call("GET /api/webhooks"),
  create: (body: BodyOf<"POST /api/webhooks">) => callConfirmed("POST /api/webhooks", { body }),
  change: (id: string, body: BodyOf<"PATCH /api/webhooks/:id">) =>
    callConfirmed("PATCH /api/webhooks/:id", { params: { id }, body }),
  remove: (id: string) => call("DELETE /api/webhooks/:id", { params: { id } }),
  rotate: (id: string) => callConfirmed("POST /api/webhooks/:id/rotate", { params: { id } }),
  ping: (id: string) => call("POST /api/webhooks/:id/ping", { params: { id } }),
  deliveries: (id: string, cursor: string | null) =>
    call("GET /api/webhooks/:id/deliveries", { params: { id }, query: cursor === null ? {} : { cursor } }),
  sendAgain: (id: string, deliveryId: string) =>
    call("POST /api/webhooks/:id/deliveries/:deliveryId/retry", { params: { id, deliveryId } }),
};
