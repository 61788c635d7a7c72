import { Hono } from "hono";
import { contactRequest } from "#domain/wire.ts";
import { saveContactMessage } from "../admin/contact-messages.ts";
import type { AppEnv } from "../app-env.ts";
import { addressOf } from "../context.ts";
import { userAgentOf } from "../user-agent.ts";
import { readJson } from "./input.ts";

export const contactRoutes = new Hono<AppEnv>().post("/", async (c) => {
  const { services, enforceRateLimit } = c.get("context");
  const message = await readJson(c, contactRequest);
  await enforceRateLimit("contact");
  const sender = { address: addressOf(c.req.raw), userAgent: userAgentOf(c.req.raw.headers) };
  await saveContactMessage(services, message, sender, Date.now());
  return c.json({ message: "Your message has been sent successfully. We'll get back to you soon!" }, 201);
});
