import type { Context } from "hono";
import type { SOCKET_CALLS } from "#domain/calls/downloads.ts";
import { AppError } from "#domain/errors.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import { SOCKETS_PER_ACCOUNT, SOCKETS_PER_IP, SOCKETS_PER_FEED } from "#domain/rate-limits.ts";
import { feedRequest } from "#durable-objects/feed/account-feed.ts";
import { endedUploadResponse, socketRequest, type SocketAdmission } from "#durable-objects/shared/session-sockets.ts";
import type { CurrentSession } from "../accounts/session.ts";
import type { AppEnv } from "../app-env.ts";
import { findCaller, owns, quotaHolderOf, type Caller } from "../callers/caller.ts";
import { anySessionOf, getOwnFile } from "../callers/sessions.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { localizedError } from "../errors/translate-error.ts";
import { feedOf } from "../feed/tell.ts";
import { openLink } from "../links/open-link.ts";
import { requireOwnOrigin } from "../middleware/same-site.ts";
import type { Handlers } from "./mount.ts";

export const socketHandlers: Handlers<typeof SOCKET_CALLS> = {
  /** Sends upload progress to the upload's sender, and to everybody with the link. */
  "GET /ws": ({ c }) => followUpload(c, c.req.query("id") ?? ""),
  "GET /ws/account": ({ c, session }) => followAccount(c, session),
};

/** Tells an account's pages who downloads from the account, and which uploads the account receives. */
async function followAccount(c: Context<AppEnv>, { id: sessionId, user }: CurrentSession): Promise<Response> {
  requireUpgrade(c);
  const { services } = c.get("context");
  requireOwnOrigin(c.req.raw, services.settings.origin);
  const max = services.settings.rateLimits === "off" ? null : SOCKETS_PER_FEED;
  const response = await feedOf(services, user.id).fetch(feedRequest(c.req.raw, { sessionId, max }));
  if (response.status === 429) throw localizedError("RATE_LIMITED", "tooManyDashboards", {});
  return response;
}

/**
 * The call's path is below the link's, because browsers send the cookie with a recipient's grant only to such paths.
 */
export async function followUpload(c: Context<AppEnv>, downloadId: string): Promise<Response> {
  requireUpgrade(c);
  const context = c.get("context");
  requireOwnOrigin(c.req.raw, context.services.settings.origin);
  const [{ file }, caller] = await Promise.all([
    openLink(context, downloadId, "follow", Date.now()),
    findCaller(context),
  ]);
  if (file.status !== "uploading") return endedUploadResponse(file.status);
  const role = caller !== null && owns(caller, file) ? "sender" : "watcher";
  return openSocket(context, c.req.raw, file, { role, limit: limitOf(context, caller) });
}

/** Opens a program's socket. @param id the file's id @throws AppError UPGRADE_REQUIRED, FILE_NOT_FOUND, RATE_LIMITED */
export async function joinAsSender(c: Context<AppEnv>, caller: Caller, id: string): Promise<Response> {
  requireUpgrade(c);
  const context = c.get("context");
  const file = await getOwnFile(context.services, caller, id);
  if (file.status !== "uploading") return endedUploadResponse(file.status);
  return openSocket(context, c.req.raw, file, { role: "sender", limit: limitOf(context, caller) });
}

function requireUpgrade(c: Context<AppEnv>): void {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw new AppError("UPGRADE_REQUIRED");
}

async function openSocket(
  { services }: RequestContext,
  request: Request,
  file: Parameters<typeof anySessionOf>[1],
  admission: SocketAdmission,
): Promise<Response> {
  const response = await anySessionOf(services, file).fetch(socketRequest(request, admission));
  if (response.status === 404) throw new AppError("FILE_NOT_FOUND");
  if (response.status === 429) throw localizedError("RATE_LIMITED", "tooManySockets", {});
  return response;
}

/** The limit of open sockets: per account, or per IP network for visitors. */
function limitOf({ services, request }: RequestContext, caller: Caller | null): SocketAdmission["limit"] {
  if (services.settings.rateLimits === "off") return null;
  const account = caller && quotaHolderOf(caller);
  return account === null
    ? { subject: `address:${callerNetwork(ipOf(request))}`, max: SOCKETS_PER_IP }
    : { subject: `account:${account}`, max: SOCKETS_PER_ACCOUNT };
}
