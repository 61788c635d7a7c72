import { AppError } from "#domain/errors.ts";
import { endsAt, isExpired } from "#domain/expiry.ts";
import type { PlanId } from "#domain/plans.ts";
import type {
  ChangeTransferRequest,
  CurrentUser,
  FilesPage,
  FilesQuery,
  ListedFile,
  FileDetails,
} from "#domain/wire.ts";
import { accountOf, ownerKeyOf, owns, type FileOwner } from "../callers/caller.ts";
import { checkExpiration } from "../callers/check-plan.ts";
import { readExactEnd } from "../callers/lifetime.ts";
import { endUpload } from "../callers/sessions.ts";
import type { Database } from "../db/client.ts";
import {
  updateFile,
  updateUnfinishedTransfer,
  FILES_PER_PAGE,
  findFileById,
  isWithoutLink,
  listFilesOf,
  revokeFile,
  type FileRow,
} from "../db/files.ts";
import { pagesOf } from "../db/paging.ts";
import { expiredError } from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { fileFields, firstPicturesOf, mailedName } from "../links/describe-link.ts";
import type { Services } from "../services.ts";
import { deleteBytesOrDefer } from "./deletion.ts";

export async function listFiles(
  { db }: Services,
  user: CurrentUser,
  { q = "", sort = "newest", ...place }: FilesQuery,
  now: number,
): Promise<FilesPage> {
  const listed = await listFilesOf(db, user.id, { ...place, search: q, order: sort });
  const { rows, page, next, previous, total, labels } = listed;
  const files = rows.map((file) => toListedFile(file, now));
  return { files, page, pages: pagesOf(listed, FILES_PER_PAGE), total, next, previous, labels };
}

export function toListedFile(file: FileRow, now: number): ListedFile {
  return {
    ...fileFields(file, now),
    ...firstPicturesOf(file, now),
    ...(file.showsPicture !== null && { showsPicture: file.showsPicture }),
    expiration: file.expiration,
    ...(file.labels !== null && { labels: file.labels }),
    ...(isWithoutLink(file) && { hasLink: false as const }),
  };
}

/**
 * Changes a file's or transfer's name, message, labels or expiry. A lifetime counts from the end of the upload, and an
 * exact end is compared with the plan from there, so repeated changes cannot exceed the longest lifetime of the plan
 * (decisions 008, 061). Name, message and labels of a transfer can be changed while it uploads.
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, BAD_REQUEST if the new expiry is in the past or given twice,
 * PLAN_LIMIT_EXCEEDED, UPLOAD_UNFINISHED for the expiry of an unfinished transfer, UNAUTHORIZED for a visitor's expiry,
 * labels or single file, SEALED for the name or message of an encrypted link
 */
export async function changeFile(
  { db }: Services,
  owner: FileOwner,
  id: string,
  { filename, expiration, expiresAt, message: text, labels }: ChangeTransferRequest,
  now: number,
): Promise<ListedFile> {
  const file = requireOwn(await findFileById(db, id), owner);
  const changesEnd = expiration !== undefined || expiresAt !== undefined;
  if (owner.kind === "visitor" && (file.entryCount === null || changesEnd || labels !== undefined)) {
    throw new AppError("UNAUTHORIZED", { requiresAuth: true });
  }
  if (text !== undefined && file.entryCount === null) {
    throw new AppError("BAD_REQUEST", { message: "Only a transfer of many files has a message.", field: "message" });
  }
  if (file.seal !== null && (filename !== undefined || text !== undefined)) throw new AppError("SEALED");
  const words = {
    ...(filename === undefined ? {} : { filename }),
    ...(text === undefined ? {} : { message: text === "" ? null : text }),
    ...(labels === undefined ? {} : { labels: labels.length === 0 ? null : labels }),
  };
  if (file.status === "uploading" && file.entryCount !== null) {
    if (changesEnd) throw localizedError("UPLOAD_UNFINISHED", "transferUnfinished", {});
    if (!(await updateUnfinishedTransfer(db, id, words))) throw new AppError("UPLOAD_CLOSED");
    return toListedFile({ ...file, ...words }, now);
  }
  requireReady(file);
  const expiry = newExpiry(file, owner.plan, { expiration, expiresAt }, now);
  const change = { ...words, ...(expiry ? { expiry } : {}) };
  if (!(await updateFile(db, id, ownerKeyOf(owner), change, now))) throw expiredError(file);
  return toListedFile({ ...file, ...words, ...expiry }, now);
}

/** @returns null if the change leaves the end as it is @throws AppError BAD_REQUEST, PLAN_LIMIT_EXCEEDED */
function newExpiry(
  file: FileRow,
  plan: PlanId,
  { expiration, expiresAt }: Pick<ChangeTransferRequest, "expiration" | "expiresAt">,
  now: number,
) {
  const from = (file.uploadedAt ?? file.createdAt).getTime();
  if (expiresAt !== undefined) {
    if (expiration !== undefined) throw localizedError("BAD_REQUEST", "twoEnds", {}, { field: "expiresAt" });
    const end = readExactEnd(expiresAt, from, now);
    checkExpiration(plan, end.expiration);
    const chosenEnd = new Date(end.chosenEndMs);
    return { expiration: end.expiration, chosenEnd, expiresAt: chosenEnd };
  }
  if (expiration === undefined) return null;
  checkExpiration(plan, expiration);
  const expiresAtMs = endsAt(expiration, from);
  if (isExpired(expiresAtMs, now)) {
    const name = file.entryCount === null ? "hasPassed" : "filesHavePassed";
    throw localizedError("BAD_REQUEST", name, { expiration: { expiration } }, { field: "expiration" });
  }
  return { expiration, chosenEnd: null, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs) };
}

/** @throws AppError FILE_NOT_FOUND, also for an upload that is not finished */
export async function readFile({ db }: Services, user: CurrentUser, id: string, now: number): Promise<ListedFile> {
  return toListedFile(await getOwnReadyFile(db, user, id), now);
}

/** @throws AppError FILE_NOT_FOUND, also for an upload that is not finished */
export async function getOwnReadyFile(db: Database, user: CurrentUser, id: string): Promise<FileRow> {
  return requireReady(requireOwn(await findFileById(db, id), accountOf(user)));
}

/** @throws AppError FILE_NOT_FOUND, also for another person's file */
export function requireOwn(file: FileRow | null | undefined, owner: FileOwner): FileRow {
  if (!file || !owns(owner, file) || file.deletedAt) throw new AppError("FILE_NOT_FOUND");
  return file;
}

/** @throws AppError FILE_NOT_FOUND */
function requireReady(file: FileRow): FileRow {
  if (file.status !== "ready") throw new AppError("FILE_NOT_FOUND");
  return file;
}

/**
 * Ends the link at once; bytes that cannot be deleted now are left to the sweep. Cancels an upload that is not finished.
 * @throws AppError FILE_NOT_FOUND, STORAGE_UNAVAILABLE when the upload's session does not answer
 */
export async function deleteFile(services: Services, user: CurrentUser, id: string, now: number): Promise<void> {
  if (await revokeReady(services, user, id, now)) return;
  const unfinished = requireOwn(await findFileById(services.db, id), accountOf(user));
  const hasEnded = unfinished.status === "uploading" && (await endOrFinished(services, unfinished));
  // The upload may have become ready meanwhile.
  if (!hasEnded && !(await revokeReady(services, user, id, now))) throw new AppError("FILE_NOT_FOUND");
}

/** @returns whether the account has such a file */
async function revokeReady(services: Services, user: CurrentUser, id: string, now: number): Promise<boolean> {
  const file = await revokeFile(services.db, id, ownerKeyOf(accountOf(user)), now);
  if (file) await deleteBytesOrDefer(services, file, now);
  return file !== null;
}

/** Cancels an upload. @returns false if it is finished */
async function endOrFinished(services: Services, file: FileRow): Promise<boolean> {
  try {
    await endUpload(services, file);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "UPLOAD_FINISHED") return false;
    throw error;
  }
}

/** @param now epoch milliseconds @throws AppError FILE_NOT_FOUND, also for an upload that is not finished */
export async function readDetails({ db }: Services, user: CurrentUser, id: string, now: number): Promise<FileDetails> {
  return toDetails(await getOwnReadyFile(db, user, id), now);
}

/** @returns the name of an unfinished upload; null for a finished one @throws AppError FILE_NOT_FOUND */
export async function findUnfinishedName({ db }: Services, user: CurrentUser, id: string): Promise<string | null> {
  const file = requireOwn(await findFileById(db, id), accountOf(user));
  return file.status === "uploading" ? mailedName(file) : null;
}

function toDetails(file: FileRow, now: number): FileDetails {
  const { fileRequestId, senderName, senderEmail, senderNote } = file;
  const received = { senderName, senderEmail, senderNote, hasLink: file.forwardedAt !== null };
  return {
    ...toListedFile(file, now),
    ...(fileRequestId === null ? {} : { received }),
  };
}
