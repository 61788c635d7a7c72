import { Hono } from "hono";
import { changeNoticesRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { changeNotices, readNotices } from "../notices/settings.ts";
import { readJson, requireUser } from "./input.ts";

/** What an account's owner wants to be mailed. */
export const noticeRoutes = new Hono<AppEnv>()
  .get("/", async (c) => c.json(await readNotices(c.get("context").services, await requireUser(c))))
  .patch("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await changeNotices(c.get("context").services, user, await readJson(c, changeNoticesRequest)));
  });
