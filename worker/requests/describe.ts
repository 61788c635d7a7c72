import type { Expiration } from "#domain/expiry.ts";
import { allowsExpiration, limitFor, type PlanId } from "#domain/plans.ts";
import type { ListedUploadRequest, SeenUploadRequest } from "#domain/wire.ts";
import { stateOf } from "../callers/request-bounds.ts";
import type { CountedRequest } from "../db/upload-requests.ts";
import type { Settings } from "../settings.ts";
import { toIso } from "../urls.ts";

function requestLink({ origin }: Settings, token: string): string {
  return `${origin}/r/${token}`;
}

/** How long received files are kept: as the request's owner chose, but no longer than the plan allows now. */
export function keptFor({ keepFor }: { keepFor: Expiration }, plan: PlanId): Expiration {
  return allowsExpiration(plan, keepFor) ? keepFor : limitFor(plan).longestExpiration;
}

export function toListedRequest(
  settings: Settings,
  request: CountedRequest,
  plan: PlanId,
  now: number,
): ListedUploadRequest {
  const { id, token, title, note, mostBytes, mostFileBytes, mostTransfers, kinds, asksName, asksEmail } = request;
  return {
    id,
    link: requestLink(settings, token),
    title,
    note,
    state: stateOf(request, plan, now),
    keepFor: request.keepFor,
    expiresAt: toIso(request.expiresAt?.getTime() ?? null),
    mostBytes,
    mostFileBytes,
    mostTransfers,
    kinds,
    asksName,
    asksEmail,
    hasPassword: request.passwordHash !== null,
    notify: request.notify,
    origins: request.origins,
    receivedBytes: request.receivedBytes,
    receivedTransfers: request.receivedTransfers,
    createdAt: request.createdAt.toISOString(),
    closedAt: toIso(request.closedAt?.getTime() ?? null),
  };
}

/** Describes an upload request to its senders. @param plan the plan of the request's owner */
export function toSeenRequest(request: CountedRequest, plan: PlanId): SeenUploadRequest {
  const limits = limitFor(plan);
  const left = (most: number | null, used: number) => (most === null ? null : Math.max(0, most - used));
  return {
    title: request.title,
    note: request.note,
    expiresAt: toIso(request.expiresAt?.getTime() ?? null),
    left: {
      bytes: left(request.mostBytes, request.receivedBytes),
      transfers: left(request.mostTransfers, request.receivedTransfers),
    },
    mostFileBytes: Math.min(limits.fileSizeBytes, request.mostFileBytes ?? Infinity),
    mostFiles: limits.entries,
    kinds: request.kinds,
    asksName: request.asksName,
    asksEmail: request.asksEmail,
    keepFor: keptFor(request, plan),
  };
}
