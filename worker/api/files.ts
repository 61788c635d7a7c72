import { Hono } from "hono";
import { serveContent, servePreview } from "../downloads/download-content.ts";
import { getDownloadInfo } from "../downloads/download-info.ts";
import { deleteFile, listFiles } from "../files/files.ts";
import type { ApiEnv } from "./env.ts";
import { requireUser } from "./input.ts";

/** `/api/files`: a person's own files, and what a link leads to. */
export const fileRoutes = new Hono<ApiEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await listFiles(c.get("context").services, user, Date.now()));
  })
  .get("/download/:downloadId", async (c) => {
    c.header("referrer-policy", "no-referrer");
    return c.json(await getDownloadInfo(c.get("context"), c.req.param("downloadId"), Date.now()));
  })
  // Hono runs these for HEAD too.
  .get("/download/:downloadId/content", (c) => serveContent(c.get("context"), c.req.param("downloadId"), Date.now()))
  .get("/download/:downloadId/preview", (c) => servePreview(c.get("context"), c.req.param("downloadId"), Date.now()))
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await deleteFile(c.get("context").services, user, c.req.param("id"), Date.now());
    return c.json({ message: "File deleted" });
  });
