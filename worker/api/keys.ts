import { Hono } from "hono";
import { changeKeyRequest, makeKeyRequest } from "#domain/wire.ts";
import { changeKey, listKeys, makeKey, revokeKey } from "../keys/keys.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson, requireConfirmedUser, requireUser } from "./input.ts";

/** A person's API keys. Only a session opens these calls: no key makes or changes a key. */
export const keyRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await listKeys(c.get("context").services, user, Date.now()));
  })
  .post("/", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    const request = await readJson(c, makeKeyRequest);
    await enforceRateLimit("makeKey", user.id);
    return c.json(await makeKey(services, user, request, Date.now()), 201);
  })
  .patch("/:id", async (c) => {
    const user = await requireUser(c);
    const change = await readJson(c, changeKeyRequest);
    return c.json(await changeKey(c.get("context").services, user, c.req.param("id"), change, Date.now()));
  })
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await revokeKey(c.get("context").services, user, c.req.param("id"), Date.now());
    return c.json({ message: "The key no longer works." });
  });
