import { Hono } from "hono";
import { emailRequest, mailLinkUseRequest } from "#domain/wire.ts";
import { requestMailLink, requireMailLinks, redeemMailLink } from "../accounts/mail-links.ts";
import { readVisit } from "../accounts/visit.ts";
import type { AppEnv } from "../app-env.ts";
import { answerSession } from "./answer-session.ts";
import { readJson } from "./input.ts";

/** Links and codes by mail. Below `/api/auth`. */
export const mailLinkRoutes = new Hono<AppEnv>()
  .post("/mail-link", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    requireMailLinks(services);
    const { email } = await readJson(c, emailRequest);
    await enforceRateLimit("mailLink", email);
    const cookie = await requestMailLink(services, email, readVisit(c.req.raw), Date.now());
    c.header("set-cookie", cookie, { append: true });
    return c.json({ message: "A link and a code are on their way to this address." });
  })
  .post("/mail-link/use", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    requireMailLinks(services);
    const request = await readJson(c, mailLinkUseRequest);
    await enforceRateLimit("redeemToken");
    const mayRegister = () => enforceRateLimit("register");
    return answerSession(c, await redeemMailLink(services, request, readVisit(c.req.raw), mayRegister, Date.now()));
  });
