import { Hono, type Context } from "hono";
import { changeWebhookRequest, createWebhookRequest, deliveriesQuery } from "#domain/wire.ts";
import { listWebhookDeliveries, pingWebhook, retryDelivery } from "../webhooks/deliveries.ts";
import { changeWebhook, createWebhook, listWebhooks, removeWebhook, rotateWebhookSecret } from "../webhooks/manage.ts";
import { readVisit } from "../accounts/visit.ts";
import type { AppEnv } from "../app-env.ts";
import { parse, readJson, requireConfirmedUser, requireUser } from "./input.ts";

/** An owner's webhooks. */
export const webhookRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await listWebhooks(c.get("context").services, user, Date.now()));
  })
  .post("/", async (c) => {
    const user = await requireConfirmedUser(c);
    const { services, enforceRateLimit } = c.get("context");
    const request = await readJson(c, createWebhookRequest);
    await enforceRateLimit("pointWebhook", user.id);
    return c.json(await createWebhook(services, user, request, readVisit(c.req.raw), Date.now()), 201);
  })
  .patch("/:id", async (c) => {
    const user = await requireUser(c);
    const { services, enforceRateLimit } = c.get("context");
    const { url, events, enabled } = await readJson(c, changeWebhookRequest);
    await enforceRateLimit(url === undefined ? "changeWebhook" : "pointWebhook", user.id);
    // Another receiver is as good as another webhook.
    if (url !== undefined) await requireConfirmedUser(c);
    const change = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    return c.json(await changeWebhook(services, user, c.req.param("id"), change, readVisit(c.req.raw), Date.now()));
  })
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await removeWebhook(c.get("context").services, user, c.req.param("id"));
    return c.json({ message: "The webhook was deleted." });
  })
  .post("/:id/rotate", async (c) => {
    const user = await requireUser(c);
    const { services, enforceRateLimit } = c.get("context");
    await enforceRateLimit("changeWebhook", user.id);
    await requireConfirmedUser(c);
    return c.json(await rotateWebhookSecret(services, user, c.req.param("id"), Date.now()));
  })
  .post("/:id/ping", async (c) => {
    const user = await requireSender(c);
    return c.json(await pingWebhook(c.get("context").services, user, c.req.param("id"), Date.now()));
  })
  .get("/:id/deliveries", async (c) => {
    const user = await requireUser(c);
    const { cursor } = parse(deliveriesQuery, c.req.query());
    const { services } = c.get("context");
    return c.json(await listWebhookDeliveries(services, user, c.req.param("id"), cursor, Date.now()));
  })
  .post("/:id/deliveries/:deliveryId/retry", async (c) => {
    const user = await requireSender(c);
    const { id, deliveryId } = c.req.param();
    return c.json(await retryDelivery(c.get("context").services, user, id, deliveryId, Date.now()));
  });

/** Each of these calls sends a request to an address of the caller's choice. */
async function requireSender(c: Context<AppEnv>) {
  const user = await requireUser(c);
  await c.get("context").enforceRateLimit("sendWebhook", user.id);
  return user;
}
