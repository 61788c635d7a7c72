import { Hono } from "hono";
import { changeNoticesRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { findNoticeSettings, saveNoticeSettings } from "../db/notice-settings.ts";
import { readJson, requireUser } from "./input.ts";

/** What an account's owner wants to be mailed. */
export const noticeRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const { id } = await requireUser(c);
    return c.json(await findNoticeSettings(c.get("context").services.db, id));
  })
  .patch("/", async (c) => {
    const { id } = await requireUser(c);
    const { db } = c.get("context").services;
    await saveNoticeSettings(db, id, await readJson(c, changeNoticesRequest));
    return c.json(await findNoticeSettings(db, id));
  });
