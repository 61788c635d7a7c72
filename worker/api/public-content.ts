import { Hono } from "hono";
import { getPublicContent } from "../content/pages.ts";
import { getPublicSeo } from "../content/seo.ts";
import type { AppEnv } from "../app-env.ts";

export const publicContentRoutes = new Hono<AppEnv>()
  .get("/public-content/:slug", async (c) =>
    c.json(await getPublicContent(c.get("context").services, c.req.param("slug"))),
  )
  .get("/public-seo/:page", async (c) => c.json(await getPublicSeo(c.get("context").services, c.req.param("page"))));
