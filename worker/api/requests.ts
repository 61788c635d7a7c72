import { Hono, type Context } from "hono";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { MAX_BATCH_BYTES } from "#domain/transfers/limits.ts";
import {
  changeUploadRequest,
  createUploadRequest,
  startSendingRequest,
  unlockUploadRequest,
  receivedQuery,
  refuseSenderRequest,
} from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { readRequest, startSending, unlockRequest } from "../requests/by-link.ts";
import { changeRequest, createRequest, listRequests, removeRequest } from "../requests/manage.ts";
import { forwardReceived, listReceived, refuseSender } from "../requests/received.ts";
import { readJson, requireUser, parse } from "./input.ts";

/** Upload requests: an owner's, and what a stranger does who has a request's link. The latter calls read no cookie. */
export const requestRoutes = new Hono<AppEnv>()
  .get("/by-link/:token", async (c) => {
    c.header("referrer-policy", "no-referrer");
    return c.json(await readRequest(c.get("context"), c.req.param("token"), Date.now()));
  })
  .post("/by-link/:token/unlock", async (c) => {
    const { password } = await readJson(c, unlockUploadRequest);
    return c.json(await unlockRequest(c.get("context"), c.req.param("token"), password, Date.now()));
  })
  .post("/by-link/:token/transfers", async (c) => {
    const request = await readJson(c, startSendingRequest, MAX_BATCH_BYTES);
    const uploadToken = c.req.header(HEADER_NAMES.uploadToken) ?? null;
    return c.json(await startSending(c.get("context"), c.req.param("token"), request, uploadToken, Date.now()));
  })
  .get("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await listRequests(c.get("context").services, user, Date.now()));
  })
  .post("/", async (c) => {
    const user = await requireChanger(c);
    const request = await readJson(c, createUploadRequest);
    return c.json(await createRequest(c.get("context").services, user, request, Date.now()), 201);
  })
  .patch("/:id", async (c) => {
    const user = await requireChanger(c);
    const change = await readJson(c, changeUploadRequest);
    return c.json(await changeRequest(c.get("context").services, user, c.req.param("id"), change, Date.now()));
  })
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await removeRequest(c.get("context").services, user, c.req.param("id"));
    return c.json({ message: "The request was deleted. What came through it stays with you." });
  });

/** A password is hashed. */
async function requireChanger(c: Context<AppEnv>) {
  const user = await requireUser(c);
  await c.get("context").enforceRateLimit("changeRequest", user.id);
  return user;
}

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
