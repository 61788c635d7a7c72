import { Hono } from "hono";
import { KIB } from "#domain/units.ts";
import { contentPreviewRequest, pageContentRequest } from "#domain/wire.ts";
import { requireAdmin } from "../admin/require-admin.ts";
import { createPage, deletePage, listPages, previewContent, updatePage } from "../content/pages.ts";
import type { AppEnv } from "../app-env.ts";
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
