import { AppError } from "#domain/errors.ts";
import { issueGrant, readGrant, GRANT_MS } from "#domain/guards/tokens.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import type { PlanId } from "#domain/plans.ts";
import {
  requestToken,
  type ReadUploadRequestAnswer,
  type SenderFields,
  type StartSendingAnswer,
  type StartSendingRequest,
  type StartTransferAnswer,
  type UnlockUploadRequestAnswer,
} from "#domain/wire.ts";
import { planOfRow } from "../accounts/plan-of-row.ts";
import { hashToken } from "../accounts/tokens.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { findRequestByToken, findSender, type FoundRequest } from "../db/upload-requests.ts";
import { localizedError } from "../errors/translate-error.ts";
import { tellFeed } from "../feed/tell.ts";
import { isLinkPassword } from "../guards/link-password.ts";
import { enforceRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import { startTransfer } from "../transfers/start-transfer.ts";
import { newUploadToken, type Uploader } from "../uploads/uploader.ts";
import { userAgentOf } from "../user-agent.ts";
import { keptFor, stateOf, toSeenRequest } from "./describe.ts";

interface OpenedRequest extends FoundRequest {
  plan: PlanId;
}

/**
 * A request by its link. One of an account that is being deleted, or over its plan, answers as closed.
 * @param now epoch milliseconds @throws AppError REQUEST_NOT_FOUND, RATE_LIMITED after too many, REQUEST_CLOSED
 */
async function openRequest(context: RequestContext, token: string, now: number): Promise<OpenedRequest> {
  const isToken = requestToken.safeParse(token).success;
  const request = isToken ? await findRequestByToken(context.services.db, token, now) : null;
  if (!request) {
    await context.enforceRateLimit("unknownRequest");
    throw new AppError("REQUEST_NOT_FOUND");
  }
  const plan = planOfRow({ id: request.userId, planType: request.ownerPlan });
  if (request.ownerDeletedAt !== null || stateOf(request, plan, now) !== "open") throw new AppError("REQUEST_CLOSED");
  return { ...request, plan };
}

/** Before the password, only the title is told. @throws AppError RATE_LIMITED, and the errors of `openRequest` */
export async function readRequest(
  context: RequestContext,
  token: string,
  now: number,
): Promise<ReadUploadRequestAnswer> {
  const [, request] = await Promise.all([context.enforceRateLimit("readRequest"), openRequest(context, token, now)]);
  if (await isUnlocked(context, request, now)) return { needsPassword: false, ...toSeenRequest(request, request.plan) };
  return { needsPassword: true, title: request.title };
}

/**
 * Only a wrong password is counted, as for links.
 * @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED, and the errors of `openRequest`
 */
export async function unlockRequest(
  context: RequestContext,
  token: string,
  password: string,
  now: number,
): Promise<UnlockUploadRequestAnswer> {
  const [, request] = await Promise.all([context.enforceRateLimit("readRequest"), openRequest(context, token, now)]);
  await requirePassword(context, request, password);
  const grant = await issueGrant(await context.services.guardKeys(), grantSubject(token), request.guardRevision, now);
  return { grant, until: new Date(now + GRANT_MS).toISOString(), request: toSeenRequest(request, request.plan) };
}

/** @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED */
async function requirePassword(
  { services, request: { headers } }: RequestContext,
  { token, passwordHash }: OpenedRequest,
  password: string,
): Promise<void> {
  if (passwordHash === null) return;
  const caller = { address: headers.get("cf-connecting-ip") ?? "unknown", link: token };
  await enforceRateLimit(services, "unlock", caller);
  await enforceRateLimit(services, "unlockAny", caller);
  if (!(await isLinkPassword(services, passwordHash, password)))
    throw localizedError("LINK_PASSWORD_WRONG", "requestPasswordWrong", {});
  services.waitUntil(
    Promise.all([giveBackRateLimit(services, "unlock", caller), giveBackRateLimit(services, "unlockAny", caller)]),
  );
}

/**
 * Starts a transfer into the owner's account, or goes on with the one that the upload token in the header is for.
 * @param now epoch milliseconds
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_CLOSED, REQUEST_FULL, KIND_REFUSED, LINK_LOCKED, RATE_LIMITED, BAD_REQUEST
 *   for what the owner decides or asks for, STORAGE_UNAVAILABLE, and what a batch throws; nothing stays
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
  const uploader = await senderOf(context, request, sentToken, { senderName, senderEmail, note });
  const start = { ...transfer, expiration: keptFor(request, request.plan), expirationChosen: true };
  // What is refused is not logged: strangers must not fill the log of somebody else.
  const started = await startTransfer(services, uploader, start, Promise.resolve(), now);
  const { uploadId: transferId, resumed } = started;
  const title = transfer.title ?? request.title;
  if (!resumed) {
    const news = { transferId, requestId: request.id, title, bytes: transfer.totals.bytes, at: now };
    tellFeed(services, request.userId, { type: "received", state: "started", ...news });
  }
  return { ...withoutLink(started), uploadToken: sentToken };
}

function withoutLink(started: StartTransferAnswer): Omit<StartSendingAnswer, "uploadToken"> {
  const { shareUrl: _link, expiresAt: _expiry, guards: _guards, seal: _seal, ...answer } = started;
  return answer;
}

/** @returns the token of an upload into this request that the sender began before; null for any other */
async function ownToken(
  { services }: RequestContext,
  { id }: OpenedRequest,
  uploadToken: string | null,
): Promise<string | null> {
  if (uploadToken === null) return null;
  const sender = await findSender(services.db, await hashToken(uploadToken));
  return sender?.requestId === id ? uploadToken : null;
}

/** Whoever sends into a request: its owner's quota, and a token for this transfer alone. @throws AppError BAD_REQUEST */
async function senderOf(
  { request: { headers }, request }: RequestContext,
  { id, userId, plan, mostFileBytes, kinds, asksName, asksEmail }: OpenedRequest,
  uploadToken: string,
  { senderName = "", senderEmail = "", note }: SenderFields,
): Promise<Uploader> {
  if (asksName && senderName === "") throw needed("requestNeedsName", "senderName");
  if (asksEmail && senderEmail === "") throw needed("requestNeedsEmail", "senderEmail");
  const address = addressOf(request);
  const sender = { name: senderName || null, email: senderEmail || null, note: note || null };
  return {
    userId,
    plan,
    tokenHash: await hashToken(uploadToken),
    apiKey: null,
    request: { id, mostFileBytes, kinds, network: callerNetwork(address), sender },
    address,
    userAgent: userAgentOf(headers),
  };
}

function needed(name: "requestNeedsName" | "requestNeedsEmail", field: string): AppError {
  return localizedError("BAD_REQUEST", name, {}, { field });
}

/** @throws AppError BAD_REQUEST for what only the owner decides */
function requireSenderOnly({ guards, seal, message }: StartSendingRequest): void {
  const fields = { guards, seal, message: message === "" ? undefined : message };
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) throw localizedError("BAD_REQUEST", "requestSetByOwner", { field }, { field });
  }
}

async function isUnlocked(
  { services, request: { headers } }: RequestContext,
  { token, passwordHash, guardRevision }: OpenedRequest,
  now: number,
): Promise<boolean> {
  if (passwordHash === null) return true;
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (bearer === undefined) return false;
  return (await readGrant(await services.guardKeys(), grantSubject(token), guardRevision, bearer, now)) !== null;
}

/** A request's grant opens no link of the same id. */
function grantSubject(token: string): string {
  return `request ${token}`;
}
