import { AppError } from "#domain/errors.ts";
import { callerNetwork } from "#domain/ip-address.ts";
import type { PlanId } from "#domain/plans.ts";
import { requestToken, type ReceivedNews, type SenderFields } from "#domain/wire.ts";
import type { BySender, Caller } from "../callers/caller.ts";
import { stateOf } from "../callers/request-bounds.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { findRequestByToken, type FoundRequest } from "../db/upload-requests.ts";
import { planOfRow } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { tellFeed } from "../feed/tell.ts";
import { enforceRateLimit, giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import { isLinkPassword } from "../links/link-password.ts";
import type { Services } from "../services.ts";
import { userAgentOf } from "../user-agent.ts";

export interface OpenUploadRequest extends FoundRequest {
  plan: PlanId;
}

/** @param now epoch milliseconds @throws AppError REQUEST_NOT_FOUND; RATE_LIMITED after too many unknown tokens */
export async function findRequest(context: RequestContext, token: string, now: number): Promise<FoundRequest> {
  const isToken = requestToken.safeParse(token).success;
  const request = isToken ? await findRequestByToken(context.services.db, token, now) : null;
  if (request) return request;
  await context.enforceRateLimit("unknownRequest");
  throw new AppError("REQUEST_NOT_FOUND");
}

/**
 * Requires that a request is open. A request counts as closed if its owner is being deleted, is suspended or is over the
 * plan's limits. @param now epoch milliseconds @throws AppError REQUEST_CLOSED
 */
export function requireOpenRequest(request: FoundRequest, now: number): OpenUploadRequest {
  const plan = planOfRow({ id: request.userId, planType: request.ownerPlan });
  const isOwnerGone = request.ownerDeletedAt !== null || request.ownerSuspendedAt !== null;
  if (isOwnerGone || stateOf(request, plan, now) !== "open") throw new AppError("REQUEST_CLOSED");
  return { ...request, plan };
}

/**
 * Checks the password of an upload request. Counts only wrong passwords, as for links.
 * @throws AppError LINK_PASSWORD_WRONG, RATE_LIMITED
 */
export async function requirePassword(
  { services, request: { headers } }: RequestContext,
  { token, passwordHash }: OpenUploadRequest,
  password: string,
): Promise<void> {
  if (passwordHash === null) return;
  const caller = { ip: headers.get("cf-connecting-ip") ?? "unknown", link: token };
  await enforceRateLimit(services, "unlock", caller);
  await enforceRateLimit(services, "unlockAny", caller);
  if (!(await isLinkPassword(services, passwordHash, password))) {
    throw localizedError("LINK_PASSWORD_WRONG", "requestPasswordWrong", {});
  }
  services.waitUntil(
    Promise.all([giveBackRateLimit(services, "unlock", caller), giveBackRateLimit(services, "unlockAny", caller)]),
  );
}

/**
 * The caller who sends into an upload request, with the owner's quota and a token for this upload alone.
 * @param tokenHash the token's SHA-256; null for tus, because the URL of an upload by tus is its secret
 * @throws AppError BAD_REQUEST
 */
export function senderOf(
  { request: { headers }, request }: RequestContext,
  { id, userId, plan, mostFileBytes, kinds, asksName, asksEmail }: OpenUploadRequest,
  tokenHash: string | null,
  { senderName = "", senderEmail = "", note }: SenderFields,
): Extract<Caller, BySender> {
  if (asksName && senderName === "") throw needed("requestNeedsName", "senderName");
  if (asksEmail && senderEmail === "") throw needed("requestNeedsEmail", "senderEmail");
  const ip = ipOf(request);
  const sender = { name: senderName || null, email: senderEmail || null, note: note || null };
  return {
    kind: "sender",
    userId,
    plan,
    tokenHash,
    request: { id, mostFileBytes, kinds, network: callerNetwork(ip), sender },
    ip,
    userAgent: userAgentOf(headers),
  };
}

function needed(name: "requestNeedsName" | "requestNeedsEmail", field: string): AppError {
  return localizedError("BAD_REQUEST", name, {}, { field });
}

/** The error for a field that only the owner of the upload request decides. */
export function setByOwner(field: string): AppError {
  return localizedError("BAD_REQUEST", "requestSetByOwner", { field }, { field });
}

/** Tells the owner's open pages that a transfer into the request has begun. */
export function tellOfStart(
  services: Services,
  { id: requestId, userId }: OpenUploadRequest,
  started: Pick<ReceivedNews, "transferId" | "title" | "bytes" | "at">,
): void {
  tellFeed(services, userId, { type: "received", state: "started", requestId, ...started });
}

/**
 * The upload request's token in `Authorization: Bearer`. An API key in the same header is longer and begins with the
 * product's name.
 */
export function requestTokenIn(headers: Headers): string | null {
  const [, token = ""] = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  return requestToken.safeParse(token).success ? token : null;
}
