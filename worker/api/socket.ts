import { Hono } from "hono";
import { AppError } from "#domain/errors.ts";
import { SOCKET_ROLE_HEADER } from "#durable-objects/upload-session.ts";
import { getLivingFile } from "../downloads/download-info.ts";
import { requireOwnOrigin } from "../middleware/same-site.ts";
import { sessionOf } from "../uploads/sessions.ts";
import { owns } from "../uploads/uploader.ts";
import type { ApiEnv } from "./env.ts";
import { findUploader, uploadTokenOf } from "./uploader.ts";

/** `/ws?id=<downloadId>`: an upload's progress, live. The sender's session sends; whoever has the link receives. */
export const socketRoutes = new Hono<ApiEnv>().get("/", async (c) => {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw new AppError("UPGRADE_REQUIRED");
  const context = c.get("context");
  requireOwnOrigin(c.req.raw, context.services.settings.origin);
  const [file, uploader] = await Promise.all([
    getLivingFile(context.services, c.req.query("id") ?? "", Date.now()),
    findUploader(context, uploadTokenOf(c)),
  ]);
  if (file.status === "ready") throw new AppError("UPLOAD_FINISHED");
  const role = uploader !== null && owns(uploader, file) ? "sender" : "watcher";
  const headers = new Headers(c.req.raw.headers);
  headers.set(SOCKET_ROLE_HEADER, role);
  const response = await sessionOf(context.services, file.id).fetch(new Request(c.req.raw, { headers }));
  if (response.status === 404) throw new AppError("FILE_NOT_FOUND");
  return response;
});
