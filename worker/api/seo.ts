import { Hono } from "hono";
import { seoRequest } from "#domain/wire.ts";
import { requireAdmin } from "../admin/require-admin.ts";
import { changeSeo, createSeo, listSeoContent, removeSeo } from "../content/seo.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson } from "./input.ts";

/** For administrators. */
export const seoRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const context = c.get("context");
    await requireAdmin(context);
    return c.json(await listSeoContent(context.services));
  })
  .post("/", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    return c.json(await createSeo(context.services, admin, await readJson(c, seoRequest), Date.now()), 201);
  })
  .put("/:id", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    const seo = await readJson(c, seoRequest);
    return c.json(await changeSeo(context.services, admin, c.req.param("id"), seo, Date.now()));
  })
  .delete("/:id", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    await removeSeo(context.services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "SEO content deleted" });
  });
