import * as wire from "#domain/wire.ts";
import type { AccountFixture } from "./account-fixture.ts";
import { member, type Route } from "./route.ts";

const path =
  (end = "") =>
  ({ webhookId }: AccountFixture) =>
    `/api/webhooks/${webhookId}${end}`;

export const WEBHOOK_ROUTES: Record<string, Route> = {
  "GET /api/webhooks": member(),
  "POST /api/webhooks": member({
    schema: wire.createWebhookRequest,
    limit: "pointWebhook",
    others: 201,
    // The free plan's one is there already.
    own: 403,
    body: () => ({ url: "https://hooks.example.org/mayfly", events: ["transfer.uploaded"] }),
  }),
  "PATCH /api/webhooks/:id": member({
    schema: wire.changeWebhookRequest,
    limit: "changeWebhook",
    others: 404,
    path: path(),
    body: () => ({ events: ["transfer.expired"] }),
  }),
  "DELETE /api/webhooks/:id": member({ others: 404, path: path() }),
  "POST /api/webhooks/:id/rotate": member({ limit: "changeWebhook", others: 404, path: path("/rotate") }),
  "POST /api/webhooks/:id/ping": member({ limit: "sendWebhook", others: 404, path: path("/ping") }),
  "GET /api/webhooks/:id/deliveries": member({
    query: wire.deliveriesQuery,
    others: 404,
    path: path("/deliveries"),
  }),
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": member({
    limit: "sendWebhook",
    others: 404,
    path: (fixture) => path(`/deliveries/${fixture.deliveryId}/retry`)(fixture),
  }),
};
