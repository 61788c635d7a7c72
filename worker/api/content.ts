import { Hono } from "hono";
import { KIB } from "#domain/units.ts";
import { contentPreviewRequest, pageContentRequest, seoRequest } from "#domain/wire.ts";
import { requireAdmin } from "../admin/require-admin.ts";
import type { AppEnv } from "../app-env.ts";
import { createPage, deletePage, listPages, previewContent, updatePage, getPublicContent } from "../content/pages.ts";
import { changeSeo, createSeo, listSeoContent, removeSeo, getPublicSeo } from "../content/seo.ts";
import { readJson } from "./input.ts";

/** A page may have 50,000 characters; a character takes up to six bytes in JSON. */
const CONTENT_BODY_MAX_BYTES = 320 * KIB;

/** For administrators. */
export const contentRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const context = c.get("context");
    await requireAdmin(context);
    return c.json(await listPages(context.services));
  })
  .post("/", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    return c.json(
      await createPage(
        context.services,
        admin,
        await readJson(c, pageContentRequest, CONTENT_BODY_MAX_BYTES),
        Date.now(),
      ),
      201,
    );
  })
  .post("/preview", async (c) => {
    const context = c.get("context");
    await requireAdmin(context);
    const { content } = await readJson(c, contentPreviewRequest, CONTENT_BODY_MAX_BYTES);
    return c.json(await previewContent(context.services, content));
  })
  .put("/:id", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    const page = await readJson(c, pageContentRequest, CONTENT_BODY_MAX_BYTES);
    return c.json(await updatePage(context.services, admin, c.req.param("id"), page, Date.now()));
  })
  .delete("/:id", async (c) => {
    const context = c.get("context");
    const admin = await requireAdmin(context);
    await deletePage(context.services, admin, c.req.param("id"), Date.now());
    return c.json({ message: "Page deleted" });
  });

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

export const publicContentRoutes = new Hono<AppEnv>()
  .get("/public-content/:slug", async (c) =>
    c.json(await getPublicContent(c.get("context").services, c.req.param("slug"))),
  )
  .get("/public-seo/:page", async (c) => c.json(await getPublicSeo(c.get("context").services, c.req.param("page"))));
