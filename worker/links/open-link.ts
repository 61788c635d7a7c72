import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { RECIPIENT_TOKEN } from "#domain/notices/tokens.ts";
import { downloadId as downloadIdSchema } from "#domain/wire.ts";
import type { LimitedLink } from "#durable-objects/gate/download-gate.ts";
import { findCaller, owns } from "../callers/caller.ts";
import type { RequestContext } from "../context.ts";
import type { FinishedDownload } from "../db/download-counts.ts";
import { findCurrentFile, findFileByDownloadId, isWithoutLink, type FileRow } from "../db/files.ts";
import { findEndCode } from "../db/upload-audit.ts";
import {
  expiredError,
  failedUploadError,
  lockedExpiredError,
  removedError,
  usedUpError,
} from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { readBusyLink } from "./busy-links.ts";
import { lockedSeal, sealOf } from "./describe-link.ts";
import { findLease, limitedLinkOf } from "./leases.ts";
import { hasGrant } from "./link-password.ts";
import { asReported } from "./reported-link.ts";

/**
 * The purposes of opening a link. `see`: to show the link's page. `follow`: to follow the link's upload, even a failed
 * one. `list`: to list the link's files. `take`: to begin a download. `bytes`: to send a file or a part of a file.
 * `report`: to report the link. `unlock`: to check the link's password.
 */
export type LinkNeed = "see" | "follow" | "list" | "take" | "bytes" | "report" | "unlock";

export interface OpenedLink {
  file: FileRow;
  /**
   * The lease under which the bytes are counted. Null if nothing is counted: the link has no limit, no bytes are sent,
   * or the caller is the owner or a moderator.
   */
  lease: CountedUnder | null;
}

export interface CountedUnder {
  /** The lease's id. */
  id: string;
  /** The facts about the link that its gate needs if the lease may begin with the first byte; otherwise null. */
  begins: LimitedLink | null;
}

/**
 * Finds a link's row and decides whether the caller may have `need`. Refuses links in this order: unknown, ended,
 * locked, without a lease. For `see` and `follow`, an unprotected link's row may come from a replica, and be seconds
 * old. The openings of a busy link share a row of at most a second's age (decision 053).
 * @param now epoch milliseconds
 * @throws AppError FILE_NOT_FOUND, also for a failed or cancelled upload (`failedUploadError`), RATE_LIMITED after too
 * many unknown links, FILE_EXPIRED, LINK_HELD, LINK_UNAVAILABLE, FILE_INFECTED, BEING_CHECKED, DOWNLOADS_USED_UP,
 * LINK_LOCKED with `guard` and the fields to unlock a sealed link, LEASE_NEEDED
 */
export async function openLink(
  context: RequestContext,
  downloadId: string,
  need: LinkNeed,
  now: number,
): Promise<OpenedLink> {
  if (!downloadIdSchema.safeParse(downloadId).success) return rejectUnknown(context);
  const { db } = context.services;
  const mayBeOld = need === "see" || need === "follow";
  const read = (isForOthers: boolean) =>
    (mayBeOld && !isForOthers ? findFileByDownloadId : findCurrentFile)(db, downloadId);
  const isRead = need === "see" || need === "list" || need === "bytes";
  const row = await (isRead ? readBusyLink(downloadId, now, read, isShared) : read(false));
  const isTooOld = mayBeOld && row !== null && isGuarded(row);
  return admit(context, isTooOld ? await findCurrentFile(db, downloadId) : row, need, now);
}

/**
 * Whether openings of a busy link share the row. The row of a protected link, or of an upload that is still running, is
 * read each time.
 */
function isShared(row: FileRow): boolean {
  return row.status === "ready" && !isGuarded(row);
}

/** Does the checks of `openLink` for a row that was just read. @throws as `openLink` */
export async function admit(
  context: RequestContext,
  row: FileRow | null,
  need: LinkNeed,
  now: number,
): Promise<OpenedLink> {
  if (!row) return rejectUnknown(context);
  const hasFailed = row.status === "failed" || row.status === "cancelled";
  if (hasFailed && need !== "follow") return rejectFailed(context, row);
  if (isWithoutLink(row) && !(await mayOpenWithoutLink(context, row, need))) return rejectUnknown(context);
  const file = requireUnended(row, now);
  if (isStopped(file)) await requireModerator(context, file);
  await requireScanned(context, file, need);
  if (!isGuarded(file)) return { file, lease: null };
  const reported = await asReported(context, file);
  if (reported) return { file: reported, lease: null };
  let owner: Promise<boolean> | null = null;
  const isOwner = () => (owner ??= isOwnedByCaller(context, file));
  const isUnlocked = !isLocked(file) || (await hasGrant(context, file, now));
  const lease = file.maxDownloads === null ? null : await findLease(context, file.downloadId);
  if (file.maxDownloads !== null && file.endedAt !== null && lease === null && !(await isOwner())) {
    throw isUnlocked ? usedUpError(file.maxDownloads) : lockedExpiredError();
  }
  if (!isUnlocked && need !== "unlock" && !(await isOwner())) throw lockedError(file);
  const isCounted = need === "bytes" && file.maxDownloads !== null && context.request.method !== "HEAD";
  if (!isCounted || (await isOwner())) return { file, lease: null };
  if (lease === null) throw new AppError("LEASE_NEEDED");
  return { file, lease: { id: lease.id, begins: lease.mayBegin ? limitedLinkOf(file) : null } };
}

/** How soon a caller may ask again for a link that is being checked. */
const ASK_AGAIN_SECONDS = 15;

/**
 * Refuses a link in which the scanner has found something, and under SCAN=before a link of which it has not said
 * anything yet. Owners of links and administrators are not refused; what others have sent to an owner through a request
 * waits for the scanner, too.
 */
async function requireScanned(context: RequestContext, file: FileRow, need: LinkNeed): Promise<void> {
  const { scan } = context.services.settings;
  if (scan === null || file.seal !== null || need === "report") return;
  const isBefore = scan.mode === "before";
  const waits = isBefore && (file.scanState === "pending" || (file.status === "uploading" && need === "bytes"));
  const isInfected = file.scanState === "infected";
  if (!waits && !isInfected) return;
  const isOwn = isWithoutLink(file)
    ? isInfected || need === "see" || need === "list"
    : await isOwnedByCaller(context, file);
  if (isOwn || (await context.currentAdmin()) !== null) return;
  throw isInfected
    ? new AppError("FILE_INFECTED")
    : new AppError("BEING_CHECKED", { retryAfterSeconds: ASK_AGAIN_SECONDS });
}

/** Whether the link has a password or a download limit, or is encrypted. */
export function isGuarded(file: FileRow): boolean {
  return isLocked(file) || file.maxDownloads !== null;
}

function isLocked({ passwordHash, seal }: FileRow): boolean {
  return passwordHash !== null || seal !== null;
}

function lockedError(file: FileRow): AppError {
  const seal = sealOf(file);
  if (seal === null) return new AppError("LINK_LOCKED", { guard: "password" });
  return localizedError("LINK_LOCKED", "sealedLocked", {}, { ...lockedSeal(seal) });
}

/**
 * Whether the caller owns the link. An owner needs no password, and their downloads are not counted. A sender through a
 * request does not own the files that they sent.
 */
export async function isOwnedByCaller(context: RequestContext, file: FileRow): Promise<boolean> {
  const caller = await findCaller(context);
  return caller !== null && caller.kind !== "sender" && owns(caller, file);
}

/**
 * Whether the caller may have `need` although the file has no link: a sender may list the files that they have sent, to
 * resume the transfer and for the receipt.
 */
async function mayOpenWithoutLink(context: RequestContext, file: FileRow, need: LinkNeed): Promise<boolean> {
  const caller = await findCaller(context);
  if (caller === null || !owns(caller, file)) return false;
  return caller.kind !== "sender" || need === "list";
}

async function rejectUnknown({ enforceRateLimit }: RequestContext): Promise<never> {
  await enforceRateLimit("unknownDownload");
  throw new AppError("FILE_NOT_FOUND");
}

/** Refuses as for an unknown link, and tells of an upload that could be followed why it failed. */
async function rejectFailed(context: RequestContext, { id, layout }: FileRow): Promise<never> {
  await context.enforceRateLimit("unknownDownload");
  throw failedUploadError(layout === null ? null : await findEndCode(context.services.db, id));
}

function requireUnended(file: FileRow, now: number): FileRow {
  if (file.deletedAt || file.adminDeleted) throw removedError(file);
  // An exact end also ends the link of an upload that is unfinished then.
  if (isExpired((file.expiresAt ?? file.chosenEnd)?.getTime() ?? null, now)) throw expiredError(file);
  return file;
}

function isStopped({ suspendedAt, heldAt, keptAt }: FileRow): boolean {
  return suspendedAt !== null || heldAt !== null || keptAt !== null;
}

/**
 * A link that was stopped is open to administrators alone, so that they can decide about it. What is kept for the
 * authorities is open to nobody (decision 059).
 * @throws AppError LINK_HELD for a link that waits for a look; LINK_UNAVAILABLE, whose words do not tell why
 */
async function requireModerator(context: RequestContext, file: FileRow): Promise<void> {
  if (file.keptAt === null && (await context.currentAdmin())) return;
  if (file.keptAt !== null || file.suspendedAt !== null) throw new AppError("LINK_UNAVAILABLE");
  throw new AppError("LINK_HELD");
}

/** Finds who downloads. Call it after the answer is sent, because it may read the session. */
export async function downloaderOf(
  context: RequestContext,
  file: FileRow,
): Promise<Pick<FinishedDownload, "token" | "isOwner">> {
  return { token: recipientTokenOf(context.request), isOwner: await isOwnedByCaller(context, file) };
}

/**
 * @returns the recipient's token in the URL, which may belong to no recipient; null if there is no well-formed token
 */
export function recipientTokenOf({ url }: Request): string | null {
  return RECIPIENT_TOKEN.exec(new URL(url).searchParams.get("for") ?? "")?.[0] ?? null;
}
