import { Hono } from "hono";
import { codeRequest, mailedTokenRequest, secondFactorRequest } from "#domain/wire.ts";
import { toSessionChange } from "../accounts/accounts.ts";
import {
  beginFactor,
  confirmFactor,
  describeFactor,
  dropFactor,
  keepFactor,
  makeRecoveryCodes,
} from "../accounts/second-factors.ts";
import { findWaiting, showSecondFactor } from "../accounts/second-step.ts";
import { readVisit } from "../accounts/visit.ts";
import type { AppEnv } from "../app-env.ts";
import { answerSession } from "./answer-session.ts";
import { readJson, requireConfirmedUser, requireUser } from "./input.ts";

/** The authenticator app of an account, and the second step of signing in. Below `/api/auth`. */
export const secondFactorRoutes = new Hono<AppEnv>()
  .post("/second-factor", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const request = await readJson(c, secondFactorRequest);
    const visit = readVisit(c.req.raw);
    const now = Date.now();
    await enforceRateLimit("secondStep");
    const waiting = await findWaiting(services, visit.headers, now);
    await enforceRateLimit("secondFactor", waiting.userId);
    return answerSession(c, toSessionChange(await showSecondFactor(services, waiting, request, visit, now)));
  })
  .get("/totp", async (c) => {
    const user = await requireUser(c);
    return c.json(await describeFactor(c.get("context").services, user));
  })
  .post("/totp", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    await enforceRateLimit("changeFactor", user.id);
    return c.json(await beginFactor(services, user), 201);
  })
  .post("/totp/enable", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    const { code } = await readJson(c, codeRequest);
    await enforceRateLimit("secondFactor", user.id);
    return c.json({ recoveryCodes: await confirmFactor(services, user, code, readVisit(c.req.raw), Date.now()) });
  })
  .delete("/totp", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    await enforceRateLimit("changeFactor", user.id);
    await dropFactor(services, user, readVisit(c.req.raw), Date.now());
    return c.json({ message: "The authenticator app and its recovery codes are removed." });
  })
  .post("/keep-factor", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { token } = await readJson(c, mailedTokenRequest);
    await enforceRateLimit("redeemToken");
    await keepFactor(services, token, readVisit(c.req.raw), Date.now());
    return c.json({ message: "Your authenticator app stays." });
  })
  .post("/recovery-codes", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    await enforceRateLimit("changeFactor", user.id);
    return c.json({ recoveryCodes: await makeRecoveryCodes(services, user, readVisit(c.req.raw), Date.now()) });
  });
