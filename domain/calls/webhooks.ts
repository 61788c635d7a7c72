import * as wire from "../wire.ts";
import { confirmedMember, json, member } from "./call.ts";

export const WEBHOOK_CALLS = {
  "GET /api/webhooks": member({ answer: json<wire.ListedWebhook[]>() }),
  "POST /api/webhooks": confirmedMember("pointWebhook", {
    body: wire.createWebhookRequest,
    status: 201,
    answer: json<wire.WebhookWithSecret>(),
  }),
  // A change of the receiver is confirmed and rate limited like a new webhook.
  "PATCH /api/webhooks/:id": member("changeWebhook", {
    handler: "limits",
    body: wire.changeWebhookRequest,
    answer: json<wire.ListedWebhook>(),
  }),
  "DELETE /api/webhooks/:id": member({ says: "The webhook was deleted." }),
  // The handler asks for confirmation after the rate limit.
  "POST /api/webhooks/:id/rotate": member("changeWebhook", { answer: json<wire.WebhookWithSecret>() }),
  "POST /api/webhooks/:id/ping": member("sendWebhook", { answer: json<wire.ListedDelivery>() }),
  "GET /api/webhooks/:id/deliveries": member({ query: wire.deliveriesQuery, answer: json<wire.DeliveriesAnswer>() }),
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": member("sendWebhook", { answer: json<wire.ListedDelivery>() }),
};
