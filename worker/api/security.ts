import { Hono } from "hono";
import { confirmRequest, mailedTokenRequest, signOutEverywhereRequest } from "#domain/wire.ts";
import { confirm, sendConfirmCode } from "../accounts/confirm.ts";
import { listAccountEvents, listDevices, removeDevice, signOutEverywhere } from "../accounts/devices.ts";
import { lockAccount, undoChangeOfEmail } from "../accounts/lock-out.ts";
import { readVisit } from "../accounts/visit.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson, requireSession } from "./input.ts";

/** What keeps an account its owner's. Below `/api/auth`. */
export const securityRoutes = new Hono<AppEnv>()
  .post("/confirm", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const session = await requireSession(c);
    const request = await readJson(c, confirmRequest);
    await enforceRateLimit("confirm", session.user.email);
    const confirmedUntil = await confirm(services, session, request, readVisit(c.req.raw), Date.now());
    return c.json({ confirmedUntil: new Date(confirmedUntil).toISOString() });
  })
  .post("/confirm/mail", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const session = await requireSession(c);
    await enforceRateLimit("confirmMail", session.user.id);
    const cookie = await sendConfirmCode(services, session, c.req.raw.headers, Date.now());
    c.header("set-cookie", cookie, { append: true });
    return c.json({ message: "A code is on its way to your address." });
  })
  .get("/devices", async (c) => {
    const session = await requireSession(c);
    return c.json(await listDevices(c.get("context").services, session));
  })
  .delete("/devices/:id", async (c) => {
    const session = await requireSession(c);
    const { services } = c.get("context");
    await removeDevice(services, session, c.req.param("id"), readVisit(c.req.raw), Date.now());
    return c.json({ message: "The device is signed out and forgotten." });
  })
  .get("/events", async (c) => {
    const session = await requireSession(c);
    return c.json(await listAccountEvents(c.get("context").services, session));
  })
  .post("/sign-out-everywhere", async (c) => {
    const session = await requireSession(c);
    const { keysToo } = await readJson(c, signOutEverywhereRequest);
    await signOutEverywhere(c.get("context").services, session, keysToo, readVisit(c.req.raw), Date.now());
    return c.json({ message: "Every device is signed out." });
  })
  .post("/not-me", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { token } = await readJson(c, mailedTokenRequest);
    await enforceRateLimit("redeemToken");
    await lockAccount(services, token, readVisit(c.req.raw), Date.now());
    return c.json({ message: "Everything is signed out. A mail to set another password is on its way." });
  })
  .post("/change-email/undo", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { token } = await readJson(c, mailedTokenRequest);
    await enforceRateLimit("redeemToken");
    return c.json(await undoChangeOfEmail(services, token, readVisit(c.req.raw), Date.now()));
  });
