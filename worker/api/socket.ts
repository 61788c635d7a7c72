import { Hono, type Context } from "hono";
import { AppError } from "#domain/errors.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import { SOCKETS_PER_ACCOUNT, SOCKETS_PER_ADDRESS } from "#domain/rate-limits.ts";
import { endedUploadResponse, socketRequest, type SocketAdmission } from "#durable-objects/session-sockets.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { openLink } from "../downloads/open-link.ts";
import { requireOwnOrigin } from "../middleware/same-site.ts";
import { localizedError } from "../errors/translate-error.ts";
import { anySessionOf } from "../uploads/sessions.ts";
import { findUploader, owns, type Uploader } from "../uploads/uploader.ts";
import type { AppEnv } from "../app-env.ts";

/** Sends upload progress to its sender, and to everybody with the link. */
export const socketRoutes = new Hono<AppEnv>().get("/", (c) => followUpload(c, c.req.query("id") ?? ""));

/** A recipient's grant is only sent to addresses below the link's. */
export async function followUpload(c: Context<AppEnv>, downloadId: string): Promise<Response> {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw new AppError("UPGRADE_REQUIRED");
  const context = c.get("context");
  requireOwnOrigin(c.req.raw, context.services.settings.origin);
  const [{ file }, uploader] = await Promise.all([
    openLink(context, downloadId, "follow", Date.now()),
    findUploader(context),
  ]);
  if (file.status !== "uploading") return endedUploadResponse(file.status);
  const role = uploader !== null && owns(uploader, file) ? "sender" : "watcher";
  const admission = { role, limit: limitOf(context, uploader) } as const;
  const response = await anySessionOf(context.services, file).fetch(socketRequest(c.req.raw, admission));
  if (response.status === 404) throw new AppError("FILE_NOT_FOUND");
  if (response.status === 429) throw localizedError("RATE_LIMITED", "tooManySockets", {});
  return response;
}

/** Per account, or per IP network for visitors. */
function limitOf({ services, request }: RequestContext, uploader: Uploader | null): SocketAdmission["limit"] {
  if (services.settings.rateLimits === "off") return null;
  const account = uploader?.userId ?? null;
  return account === null
    ? { subject: `address:${callerNetwork(addressOf(request))}`, max: SOCKETS_PER_ADDRESS }
    : { subject: `account:${account}`, max: SOCKETS_PER_ACCOUNT };
}
