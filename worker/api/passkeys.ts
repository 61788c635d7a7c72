import { Hono } from "hono";
import { addPasskeyRequest, changePasskeyRequest, passkeyLoginRequest, passkeyOptionsRequest } from "#domain/wire.ts";
import { loginByPasskey } from "../accounts/passkey-answers.ts";
import {
  addPasskey,
  changePasskey,
  confirmOptions,
  creationOptions,
  listPasskeys,
  loginOptions,
  removePasskey,
  secondFactorOptions,
} from "../accounts/passkeys.ts";
import { readVisit } from "../accounts/visit.ts";
import type { AppEnv } from "../app-env.ts";
import { answerSession } from "./answer-session.ts";
import { readJson, requireConfirmedUser, requireSession, requireUser } from "./input.ts";

/** Below `/api/auth`. */
export const passkeyRoutes = new Hono<AppEnv>()
  .post("/passkey/options", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { purpose } = await readJson(c, passkeyOptionsRequest);
    await enforceRateLimit("passkey");
    const now = Date.now();
    if (purpose === "login") return c.json(await loginOptions(services, "", now));
    if (purpose === "second-factor") return c.json(await secondFactorOptions(services, c.req.raw.headers, now));
    return c.json(await confirmOptions(services, await requireSession(c), now));
  })
  .post("/passkey/login", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const request = await readJson(c, passkeyLoginRequest);
    await enforceRateLimit("passkey");
    return answerSession(c, await loginByPasskey(services, request, readVisit(c.req.raw), Date.now()));
  })
  .get("/passkeys", async (c) => {
    const { id } = await requireUser(c);
    return c.json(await listPasskeys(c.get("context").services, id));
  })
  .post("/passkeys/options", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    await requireConfirmedUser(c);
    await enforceRateLimit("passkey");
    return c.json(await creationOptions(services, await requireSession(c), Date.now()));
  })
  .post("/passkeys", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const session = await requireSession(c);
    const request = await readJson(c, addPasskeyRequest);
    await enforceRateLimit("passkey");
    const call = { services, visit: readVisit(c.req.raw), now: Date.now() };
    return c.json(await addPasskey(call, session, request), 201);
  })
  .patch("/passkeys/:id", async (c) => {
    const user = await requireUser(c);
    const { name } = await readJson(c, changePasskeyRequest);
    return c.json(await changePasskey(c.get("context").services, user.id, c.req.param("id"), name));
  })
  .delete("/passkeys/:id", async (c) => {
    const user = await requireConfirmedUser(c);
    const { services } = c.get("context");
    return c.json(await removePasskey(services, user, c.req.param("id"), readVisit(c.req.raw), Date.now()));
  });
