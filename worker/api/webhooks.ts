import type { WEBHOOK_CALLS } from "#domain/calls/webhooks.ts";
import { requireConfirmed } from "../accounts/confirm.ts";
import { listWebhookDeliveries, pingWebhook, retryDelivery } from "../webhooks/deliveries.ts";
import { changeWebhook, createWebhook, listWebhooks, removeWebhook, rotateWebhookSecret } from "../webhooks/manage.ts";
import type { Handlers } from "./mount.ts";

export const webhookHandlers: Handlers<typeof WEBHOOK_CALLS> = {
  "GET /api/webhooks": ({ services, user, now }) => listWebhooks(services, user, now),
  "POST /api/webhooks": ({ services, user, visit, body, now }) => createWebhook(services, user, body, visit, now),
  "PATCH /api/webhooks/:id": async ({ context, services, session, user, params, visit, body, now }) => {
    const { url, events, enabled } = body;
    await context.enforceRateLimit(url === undefined ? "changeWebhook" : "pointWebhook", user.id);
    if (url !== undefined) await requireConfirmed(services, session, now);
    const change = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    return changeWebhook(services, user, params.id, change, visit, now);
  },
  "DELETE /api/webhooks/:id": ({ services, user, params }) => removeWebhook(services, user, params.id),
  "POST /api/webhooks/:id/rotate": async ({ services, session, user, params, now }) => {
    await requireConfirmed(services, session, now);
    return rotateWebhookSecret(services, user, params.id, now);
  },
  "POST /api/webhooks/:id/ping": ({ services, user, params, now }) => pingWebhook(services, user, params.id, now),
  "GET /api/webhooks/:id/deliveries": ({ services, user, params, query, now }) =>
    listWebhookDeliveries(services, user, params.id, query.cursor, now),
  "POST /api/webhooks/:id/deliveries/:deliveryId/retry": ({ services, user, params, now }) =>
    retryDelivery(services, user, params.id, params.deliveryId, now),
};
