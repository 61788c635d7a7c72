import { AppError } from "#domain/errors.ts";
import { endsAt } from "#domain/expiry.ts";
import { newLinkToken, shardOfRowId } from "#domain/ids.ts";
import { allowsExpiration, limitFor } from "#domain/plans.ts";
import type { RequestLifetime } from "#domain/requests/limits.ts";
import type { ChangeUploadRequest, CreateUploadRequest, CurrentUser, ListedUploadRequest } from "#domain/wire.ts";
import { checkExpiration } from "../callers/check-plan.ts";
import {
  deleteRequest,
  findRequestOf,
  insertRequest,
  listRequestsAfter as findRequestsAfter,
  listRequestsOf,
  mostOpenRequests,
  updateRequest,
  type UploadRequestRow,
} from "../db/upload-requests.ts";
import { localizedError } from "../errors/translate-error.ts";
import { readPosition, writePosition } from "../files/list-after.ts";
import { hashLinkPassword } from "../links/link-password.ts";
import type { Services } from "../services.ts";
import { toListedRequest } from "./describe.ts";

type Owner = Pick<CurrentUser, "id" | "planType">;

/** Newest first. @param now epoch milliseconds */
export async function listRequests(
  { db, settings }: Services,
  { id, planType }: Owner,
  now: number,
): Promise<ListedUploadRequest[]> {
  return (await listRequestsOf(db, id, now)).map((row) => toListedRequest(settings, row, planType, now));
}

/**
 * Lists requests as `listRequests` does, page by page.
 * @param cursor `next` of the previous page; undefined for the first page @param now epoch milliseconds
 * @returns `next`: the cursor of the next page; null at the end @throws AppError BAD_REQUEST for an invalid cursor
 */
export async function listRequestsAfter(
  { db, settings }: Services,
  { id, planType }: Owner,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  now: number,
): Promise<{ items: ListedUploadRequest[]; next: string | null }> {
  const after = cursor === undefined ? null : readPosition(cursor);
  const { rows, end } = await findRequestsAfter(db, id, after, limit, now);
  const items = rows.map((row) => toListedRequest(settings, row, planType, now));
  return { items, next: end && writePosition(end) };
}

/** @param now epoch milliseconds @throws AppError PLAN_LIMIT_EXCEEDED with `planLimitExceeded` */
export async function createRequest(
  services: Services,
  owner: Owner,
  request: CreateUploadRequest,
  now: number,
): Promise<ListedUploadRequest> {
  const { db } = services;
  const { password, expiresIn, keepFor, ...bounds } = request;
  if (keepFor !== undefined) checkExpiration(owner.planType, keepFor);
  const row: UploadRequestRow = {
    ...bounds,
    id: crypto.randomUUID(),
    userId: owner.id,
    token: newLinkToken(shardOfRowId(owner.id)),
    keepFor: keepFor ?? limitFor(owner.planType).longestExpiration,
    expiresAt: toDate(expiresIn, now),
    passwordHash: password === undefined ? null : await hashLinkPassword(services, password),
    guardRevision: 0,
    createdAt: new Date(now),
    closedAt: null,
  };
  if (!(await insertRequest(db, row, mostOpenRequests(owner.planType), now))) throw tooManyOpen(owner);
  return getRequest(services, owner, row.id, now);
}

/**
 * Changes an upload request, and leaves absent fields unchanged. A limit below what was already received only refuses
 * further uploads.
 * @param now epoch milliseconds
 * @throws AppError REQUEST_NOT_FOUND, PLAN_LIMIT_EXCEEDED with `planLimitExceeded`
 */
export async function changeRequest(
  services: Services,
  owner: Owner,
  id: string,
  { closed, expiresIn, password, ...request }: ChangeUploadRequest,
  now: number,
): Promise<ListedUploadRequest> {
  const before = await getRequest(services, owner, id, now);
  if (request.keepFor !== undefined && !allowsExpiration(owner.planType, request.keepFor)) {
    checkExpiration(owner.planType, request.keepFor);
  }
  const defined = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
  const change = {
    ...defined,
    ...(closed === undefined ? {} : { closedAt: closed ? new Date(now) : null }),
    ...(expiresIn === undefined ? {} : { expiresAt: toDate(expiresIn, now) }),
    ...(password === undefined ? {} : { passwordHash: password && (await hashLinkPassword(services, password)) }),
  };
  const wasOpen = before.state === "open" || before.state === "over-plan";
  const opens = !wasOpen && closed !== true && (closed === false || expiresIn !== undefined);
  const mostOpen = opens ? mostOpenRequests(owner.planType) : null;
  if (!(await updateRequest(services.db, owner.id, id, change, mostOpen, now))) throw tooManyOpen(owner);
  return getRequest(services, owner, id, now);
}

/**
 * Deletes an upload request. The owner keeps the files that were received through the request, and running uploads may
 * finish.
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function removeRequest({ db }: Services, owner: Owner, id: string): Promise<void> {
  if (!(await deleteRequest(db, owner.id, id))) throw new AppError("REQUEST_NOT_FOUND");
}

async function getRequest({ db, settings }: Services, { id: userId, planType }: Owner, id: string, now: number) {
  const row = await findRequestOf(db, userId, id, now);
  if (!row) throw new AppError("REQUEST_NOT_FOUND");
  return toListedRequest(settings, row, planType, now);
}

function tooManyOpen({ planType }: Owner): AppError {
  const count = mostOpenRequests(planType);
  return localizedError("PLAN_LIMIT_EXCEEDED", "tooManyRequestsOpen", { count }, { planLimitExceeded: true });
}

function toDate(lifetime: RequestLifetime, now: number): Date | null {
  const at = endsAt(lifetime, now);
  return at === null ? null : new Date(at);
}
