import { Hono } from "hono";
import { changeFileRequest, filesQuery, reportRequest, shareFileRequest } from "#domain/wire.ts";
import { serveContent, servePreview } from "../downloads/download-content.ts";
import { getDownloadInfo } from "../downloads/download-info.ts";
import { reportFile } from "../downloads/report.ts";
import { changeFile, deleteFile, listFiles, shareFile } from "../files/files.ts";
import type { AppEnv } from "../app-env.ts";
import { parse, readJson, requireUser } from "./input.ts";

export const fileRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    const query = parse(filesQuery, c.req.query());
    const page = await listFiles(c.get("context").services, user, query, Date.now());
    return Object.keys(query).length === 0 ? c.json(page.files) : c.json(page);
  })
  .get("/download/:downloadId", async (c) => {
    c.header("referrer-policy", "no-referrer");
    return c.json(await getDownloadInfo(c.get("context"), c.req.param("downloadId"), Date.now()));
  })
  .post("/download/:downloadId/report", async (c) => {
    const report = await readJson(c, reportRequest);
    await reportFile(c.get("context"), c.req.param("downloadId"), report, Date.now());
    return c.json({ message: "Thank you. We look at every report." }, 201);
  })
  .get("/download/:downloadId/content", (c) => serveContent(c.get("context"), c.req.param("downloadId"), Date.now()))
  .get("/download/:downloadId/preview", (c) => servePreview(c.get("context"), c.req.param("downloadId"), Date.now()))
  .patch("/:id", async (c) => {
    const user = await requireUser(c);
    const request = await readJson(c, changeFileRequest);
    return c.json(await changeFile(c.get("context").services, user, c.req.param("id"), request, Date.now()));
  })
  .post("/:id/share", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireUser(c);
    const request = await readJson(c, shareFileRequest);
    await enforceRateLimit("shareByMail", user.id);
    await shareFile(services, user, c.req.param("id"), request, Date.now());
    return c.json({ message: `The link is on its way to ${request.email}.` });
  })
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await deleteFile(c.get("context").services, user, c.req.param("id"), Date.now());
    return c.json({ message: "File deleted" });
  });
