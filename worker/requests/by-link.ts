import { AppError } from "#domain/errors.ts";
import { issueGrant, readGrant, GRANT_MS } from "#domain/protection/tokens.ts";
import type {
  ReadUploadRequestAnswer,
  StartSendingAnswer,
  StartSendingRequest,
  StartTransferAnswer,
  UnlockUploadRequestAnswer,
} from "#domain/wire.ts";
import { newUploadToken } from "../callers/caller.ts";
import type { RequestContext } from "../context.ts";
import { findSender } from "../db/upload-requests.ts";
import { hashToken } from "../tokens.ts";
import { startTransfer } from "../transfers/start-transfer.ts";
import { keptFor, toSeenRequest } from "./describe.ts";
import {
  findRequest,
  requireOpenRequest,
  requirePassword,
  senderOf,
  setByOwner,
  tellOfStart,
  type OpenUploadRequest,
} from "./open-request.ts";

/** @param now epoch milliseconds @throws AppError REQUEST_NOT_FOUND, RATE_LIMITED, REQUEST_CLOSED */
async function openRequest(context: RequestContext, token: string, now: number): Promise<OpenUploadRequest> {
  return requireOpenRequest(await findRequest(context, token, now), now);
}

/**
 * Reads an upload request for its page. Without the request's password, tells only the title.
 * @throws AppError RATE_LIMITED, and as `openRequest`
 */
export async function readRequest(
  context: RequestContext,
  token: string,
  now: number,
): Promise<ReadUploadRequestAnswer> {
  await context.enforceRateLimit("readRequest");
  const request = await openRequest(context, token, now);
  if (await isUnlocked(context, request, now)) return { needsPassword: false, ...toSeenRequest(request, request.plan) };
  return { needsPassword: true, title: request.title };
}

/**
 * Unlocks an upload request with its password. Counts only wrong passwords.
 * @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED, and the errors of `openRequest`
 */
export async function unlockRequest(
  context: RequestContext,
  token: string,
  password: string,
  now: number,
): Promise<UnlockUploadRequestAnswer> {
  await context.enforceRateLimit("readRequest");
  const request = await openRequest(context, token, now);
  await requirePassword(context, request, password);
  const grant = await issueGrant(
    await context.services.linkTokenKeys(),
    grantSubject(token),
    request.guardRevision,
    now,
  );
  return { grant, until: new Date(now + GRANT_MS).toISOString(), request: toSeenRequest(request, request.plan) };
}

/**
 * Starts a transfer into the owner's account, or resumes the transfer to which the upload token in the header belongs.
 * @param now epoch milliseconds
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_CLOSED, REQUEST_FULL, KIND_REFUSED, LINK_LOCKED, RATE_LIMITED,
 * BAD_REQUEST for a field that the owner decides or that is missing, STORAGE_UNAVAILABLE, and a batch's errors; on an
 * error, nothing is stored
 */
export async function startSending(
  context: RequestContext,
  token: string,
  body: StartSendingRequest,
  uploadToken: string | null,
  now: number,
): Promise<StartSendingAnswer> {
  const { services } = context;
  await context.enforceRateLimit("startSending");
  const request = await openRequest(context, token, now);
  if (!(await isUnlocked(context, request, now))) throw new AppError("LINK_LOCKED", { guard: "password" });
  requireSenderOnly(body);
  const { senderName, senderEmail, note, ...transfer } = body;
  const sentToken = (await ownToken(context, request, uploadToken)) ?? newUploadToken();
  const sender = { senderName, senderEmail, note };
  const caller = senderOf(context, request, await hashToken(sentToken), sender);
  const start = { ...transfer, expiration: keptFor(request, request.plan), expirationChosen: true };
  // Does not log rejections, because strangers must not fill the owner's log.
  const started = await startTransfer(services, caller, start, Promise.resolve(), now);
  const { uploadId: transferId, resumed } = started;
  const title = transfer.title ?? request.title;
  if (!resumed) {
    tellOfStart(services, request, { transferId, title, bytes: transfer.totals.bytes, at: now });
  }
  return { ...withoutLink(started), uploadToken: sentToken };
}

function withoutLink(started: StartTransferAnswer): Omit<StartSendingAnswer, "uploadToken"> {
  const { shareUrl: _link, expiresAt: _expiry, guards: _guards, seal: _seal, ...answer } = started;
  return answer;
}

/** @returns `uploadToken` if it belongs to an upload that the sender began into this request; otherwise null */
async function ownToken(
  { services }: RequestContext,
  { id }: OpenUploadRequest,
  uploadToken: string | null,
): Promise<string | null> {
  if (uploadToken === null) return null;
  const sender = await findSender(services.db, await hashToken(uploadToken));
  return sender?.fileRequestId === id ? uploadToken : null;
}

/** @throws AppError BAD_REQUEST for a field that only the owner of the upload request decides */
function requireSenderOnly({ guards, seal, message, expiresAt }: StartSendingRequest): void {
  const fields = { guards, seal, expiresAt, message: message === "" ? undefined : message };
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) throw setByOwner(field);
  }
}

async function isUnlocked(
  { services, request: { headers } }: RequestContext,
  { token, passwordHash, guardRevision }: OpenUploadRequest,
  now: number,
): Promise<boolean> {
  if (passwordHash === null) return true;
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (bearer === undefined) return false;
  return (await readGrant(await services.linkTokenKeys(), grantSubject(token), guardRevision, bearer, now)) !== null;
}

/** The subject of a request's grant, which differs from a link's, so that the grant opens no link. */
function grantSubject(token: string): string {
  return `request ${token}`;
}
