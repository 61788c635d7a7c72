import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { safeFilename } from "#domain/safe-filename.ts";
import { decodePlaces, type PlacedEntry } from "#domain/transfers/pages.ts";
import { transferBatchRequest, type AdminViewer, type CurrentUser, type ListedFile } from "#domain/wire.ts";
import { layOutZip } from "#domain/zip.ts";
import { takeDown } from "../admin/files.ts";
import { logAdminAction, type AuditEntry } from "../db/admin-audit.ts";
import { findFileWithPages, removeEntry, type Wipe } from "../db/entry-wipes.ts";
import { revokeFile, type FileRow } from "../db/files.ts";
import { findEmail } from "../db/users.ts";
import { expiredError } from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { deleteBytesOrDefer } from "../files/delete-bytes.ts";
import { requireOwn, toListedFile } from "../files/files.ts";
import { logError } from "../log.ts";
import { entryTakenDownMessage } from "../mail/messages/files.tsx";
import type { Services } from "../services.ts";
import { transferObjectKey } from "../storage/keys.ts";
import { transferSessionOf } from "../uploads/sessions.ts";
import { toTransferError } from "./transfer-errors.ts";
import { wipeOrDefer } from "./wipe.ts";

/** As often may other removals of the same transfer come first. */
const MAX_ATTEMPTS = 50;

/**
 * Ends one file of a transfer at once; its bytes follow. The last one ends the transfer. Idempotent.
 * @param now epoch milliseconds @returns the transfer as it is now
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, BAD_REQUEST
 */
export async function removeOwnEntry(
  services: Services,
  user: CurrentUser,
  id: string,
  n: number,
  now: number,
): Promise<ListedFile> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await findFileWithPages(services.db, id);
    const file = requireOwn(found?.file, user);
    if (file.status === "uploading") return toListedFile(await removeWhileUploading(services, file, n), now);
    const entries = requireList(file, found?.pages ?? [], now);
    if (requireEntry(entries, n).removedAt !== null) return toListedFile(file, now);
    if (isLast(entries, n)) {
      const revoked = await revokeFile(services.db, id, user.id, now);
      if (revoked) await deleteBytesOrDefer(services, revoked, now);
      return toListedFile({ ...file, entryCount: 0, size: 0, expiresAt: new Date(now) }, now);
    }
    const changed = await remove(services, file, entries, n, null, now);
    if (changed) return toListedFile({ ...file, ...changed }, now);
  }
  throw tooManyRemovals(id);
}

/**
 * Ends one file of a transfer at once and mails the reason to the owner; its bytes follow. The last one ends the
 * transfer. @param now epoch milliseconds @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, BAD_REQUEST
 */
export async function takeDownEntry(
  services: Services,
  admin: AdminViewer,
  { id, n }: { id: string; n: number },
  reason: string,
  now: number,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const found = await findFileWithPages(services.db, id);
    const file = found?.file;
    if (file?.status === "uploading" && file.entryCount !== null) {
      await takeDownWhileUploading(services, admin, file, n, reason, now);
      return;
    }
    if (file?.status !== "ready") throw new AppError("FILE_NOT_FOUND");
    const entries = requireList(file, found?.pages ?? [], now);
    const entry = requireEntry(entries, n);
    if (entry.removedAt !== null) throw localizedError("FILE_EXPIRED", "entryRemoved", {});
    if (isLast(entries, n)) {
      await takeDown(services, admin, id, reason, now);
      return;
    }
    const details = `${entry.path}: ${reason}`;
    const log = { admin, action: "file.take-down", target: id, details, at: now } as const;
    if (!(await remove(services, file, entries, n, log, now))) continue;
    await mailOwner(services, file, entry.path, reason);
    return;
  }
  throw tooManyRemovals(id);
}

/** @returns the row's new columns; null when the list has changed meanwhile */
async function remove(
  services: Services,
  file: FileRow,
  entries: PlacedEntry[],
  n: number,
  log: AuditEntry | null,
  now: number,
): Promise<{ size: number; entryCount: number } | null> {
  const left = entries.filter(({ removedAt }, at) => removedAt === null && at !== n);
  const zip = await layOutZip(left);
  const size = left.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const wipe = wipeOf(file.id, left, requireEntry(entries, n));
  const removal = {
    fileId: file.id,
    n,
    etagBefore: file.etag ?? "",
    etag: zip.etag.replaceAll('"', ""),
    zipSizeBytes: zip.size,
    sizeBytes: size,
    entries: left.length,
    wipe,
    at: now,
  };
  if (!(await removeEntry(services.db, removal, log))) return null;
  if (wipe) await wipeOrDefer(services, wipe.s3Key);
  return { size, entryCount: left.length };
}

/** An object goes with its last entry. @param left the other entries of the transfer */
function wipeOf(fileId: string, left: PlacedEntry[], { object, offset, sizeBytes }: PlacedEntry): Wipe | null {
  if (object === null) return null;
  const s3Key = transferObjectKey(fileId, object);
  return left.some((other) => other.object === object)
    ? { s3Key, fromByte: offset, length: sizeBytes }
    : { s3Key, fromByte: 0, length: null };
}

/** The session wipes what is stored already before the transfer is ready. */
async function removeWhileUploading(services: Services, file: FileRow, n: number): Promise<FileRow> {
  const removed = await transferSessionOf(services, file).batch(transferBatchRequest.parse({ remove: [n] }));
  if (!removed.ok) throw toTransferError(removed);
  return file;
}

async function takeDownWhileUploading(
  services: Services,
  admin: AdminViewer,
  file: FileRow,
  n: number,
  reason: string,
  now: number,
): Promise<void> {
  const [entry] = await transferSessionOf(services, file).locate([n]);
  if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  await removeWhileUploading(services, file, n);
  const details = `${entry.path}: ${reason}`;
  await logAdminAction(services.db, { admin, action: "file.take-down", target: file.id, details, at: now });
  await mailOwner(services, file, entry.path, reason);
}

function requireList(file: FileRow, pages: string[], now: number): PlacedEntry[] {
  if (file.entryCount === null) throw new AppError("BAD_REQUEST", { message: "This is a single file." });
  if (file.status !== "ready") throw new AppError("FILE_NOT_FOUND");
  if (file.adminDeleted || isExpired(file.expiresAt?.getTime() ?? null, now)) throw expiredError(file);
  return pages.flatMap(decodePlaces);
}

function requireEntry(entries: PlacedEntry[], n: number): PlacedEntry {
  const entry = entries[n];
  if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  return entry;
}

function isLast(entries: PlacedEntry[], n: number): boolean {
  return entries.every(({ removedAt }, at) => removedAt !== null || at === n);
}

async function mailOwner(services: Services, file: FileRow, path: string, reason: string): Promise<void> {
  const email = file.userId === null ? null : await findEmail(services.db, file.userId);
  if (email === null) return;
  const title = safeFilename(file.filename);
  await services.outbox.post(entryTakenDownMessage(email, { path, title }, reason, services.settings.origin));
}

function tooManyRemovals(id: string): AppError {
  logError("transfer.removal_failed", new Error(`the list changed ${MAX_ATTEMPTS} times meanwhile`), { fileId: id });
  return new AppError("STORAGE_UNAVAILABLE");
}
