import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { riskByName } from "#domain/moderation/risky-kinds.ts";
import { limitFor, type PlanId } from "#domain/plans.ts";
import { isWantedKind, UNFINISHED_PER_REQUEST, UNFINISHED_PER_SENDER } from "#domain/requests/limits.ts";
import type { RequestState, StartTransferRequest } from "#domain/wire.ts";
import { countUnfinishedOf } from "../db/request-room.ts";
import { findRequestById, type CountedRequest } from "../db/upload-requests.ts";
import { planOfRow } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import type { Caller, CallerRequest } from "./caller.ts";

const UNFINISHED_RETRY_SECONDS = 60;

/**
 * Checks the names of files against what the site and an upload request take.
 * @throws AppError KIND_REFUSED with the first unwanted file's `index` in the list
 */
export function checkKinds(
  { settings }: Services,
  caller: Caller,
  { entries }: Pick<StartTransferRequest, "entries">,
): void {
  const paths = (entries?.list ?? []).map(([path]) => path);
  for (const [index, path] of paths.entries()) {
    checkSiteKind(settings, path, { index });
    if (caller.kind === "sender") checkKind(caller.request, path, { index });
  }
}

/** @throws AppError KIND_REFUSED for a name of a kind that the site does not take */
export function checkSiteKind({ refusedKinds }: Settings, path: string, fields: Record<string, unknown> = {}): void {
  const kind = riskByName(path);
  if (kind !== null && refusedKinds.includes(kind)) throw localizedError("KIND_REFUSED", "siteKinds", {}, fields);
}

/** A folder has no kind. @throws AppError KIND_REFUSED */
export function checkKind({ kinds }: CallerRequest, path: string, fields: Record<string, unknown> = {}): void {
  if (kinds === null || path.endsWith("/") || isWantedKind(path, kinds)) return;
  throw localizedError("KIND_REFUSED", "requestKinds", { kinds: kinds.join(", ") }, fields);
}

/**
 * The reason why an upload request has no room for an upload.
 * @param sizeBytes how many bytes were to be reserved
 * @param now epoch milliseconds
 */
export async function requestRefusal(
  { db }: Services,
  { id: fileRequestId, network }: CallerRequest,
  sizeBytes: number,
  now: number,
): Promise<AppError> {
  const [request, unfinished] = await Promise.all([
    findRequestById(db, fileRequestId, now),
    countUnfinishedOf(db, { fileRequestId, network }),
  ]);
  if (!request) return new AppError("REQUEST_CLOSED");
  const plan = planOfRow({ id: request.userId, planType: request.ownerPlan });
  if (stateOf(request, plan, now) !== "open") return new AppError("REQUEST_CLOSED");
  const { mostBytes, mostTransfers, receivedBytes, receivedTransfers } = request;
  if (unfinished.ofNetwork >= UNFINISHED_PER_SENDER || unfinished.all >= UNFINISHED_PER_REQUEST) {
    const fields = { retryAfterSeconds: UNFINISHED_RETRY_SECONDS };
    return localizedError("RATE_LIMITED", "tooManySending", {}, fields);
  }
  if (mostTransfers !== null && receivedTransfers >= mostTransfers) return new AppError("REQUEST_FULL");
  if (mostBytes !== null && receivedBytes + sizeBytes > mostBytes) {
    const left = { bytes: Math.max(0, mostBytes - receivedBytes) };
    return left.bytes === 0 ? new AppError("REQUEST_FULL") : localizedError("REQUEST_FULL", "requestLeft", { left });
  }
  // The monthly quota or the storage of the request's owner is full.
  return localizedError("REQUEST_FULL", "requestOwnerFull", {});
}

/** @param plan the plan of the request's owner @param now epoch milliseconds */
export function stateOf(request: CountedRequest, plan: PlanId, now: number): RequestState {
  if (request.closedAt !== null) return "closed";
  if (isExpired(request.expiresAt?.getTime() ?? null, now)) return "expired";
  return request.olderOpen < limitFor(plan).openRequests ? "open" : "over-plan";
}
