import { Hono } from "hono";
import { receivedQuery, refuseSenderRequest } from "#domain/wire.ts";
import { forwardReceived, listReceived, refuseSender } from "../requests/received.ts";
import type { AppEnv } from "../app-env.ts";
import { parse, readJson, requireUser } from "./input.ts";

/** What has come through an owner's upload requests. */
export const receivedRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await listReceived(c.get("context").services, user, parse(receivedQuery, c.req.query()), Date.now()));
  })
  .post("/:id/link", async (c) => {
    const user = await requireUser(c);
    return c.json(await forwardReceived(c.get("context").services, user, c.req.param("id"), Date.now()), 201);
  })
  .post("/:id/refuse", async (c) => {
    const user = await requireUser(c);
    const request = await readJson(c, refuseSenderRequest);
    await refuseSender(c.get("context"), user, c.req.param("id"), request, Date.now());
    return c.json({ message: "What came was deleted, and we look at your report." });
  });
