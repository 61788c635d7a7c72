import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { decodePlaces, type PlacedEntry } from "#domain/transfers/pages.ts";
import { transferBatchRequest, type ListedFile } from "#domain/wire.ts";
import { layOutZip } from "#domain/zip.ts";
import { ownerKeyOf, owns, type FileOwner } from "../callers/caller.ts";
import { transferSessionOf, toTransferError } from "../callers/sessions.ts";
import { findFileWithPages, removeEntry, type TakeDownRecord, type Wipe } from "../db/entry-wipes.ts";
import { revokeFile, type FileRow } from "../db/files.ts";
import { localizedError } from "../errors/translate-error.ts";
import { deleteBytesOrDefer } from "../files/deletion.ts";
import { requireOwn, toListedFile } from "../files/files.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { transferObjectKey } from "../storage/keys.ts";
import { wipeOrDefer } from "./wipe.ts";

/** How often a removal starts over because another removal has changed the list before. */
export const MAX_REMOVAL_ATTEMPTS = 50;

/**
 * Ends one file of a transfer at once, and then deletes its bytes. Removing the last file ends the transfer.
 * Idempotent. @param now epoch milliseconds @returns the transfer as it is now @throws AppError FILE_NOT_FOUND,
 * FILE_EXPIRED, BAD_REQUEST
 */
export async function removeOwnEntry(
  services: Services,
  owner: FileOwner,
  id: string,
  n: number,
  now: number,
): Promise<ListedFile> {
  for (let attempt = 0; attempt < MAX_REMOVAL_ATTEMPTS; attempt += 1) {
    const found = await findFileWithPages(services.db, id);
    if (found && owns(owner, found.file) && hasEndedWithLastEntry(found.file)) return toListedFile(found.file, now);
    const file = requireOwn(found?.file, owner);
    if (file.status === "uploading") {
      if (await removeWhileUploading(services, file, n)) return toListedFile(file, now);
      continue;
    }
    const entries = requireList(file, found?.pages ?? [], now);
    if (requireEntry(entries, n).removedAt !== null) return toListedFile(file, now);
    if (isLast(entries, n)) {
      const revoked = await revokeFile(services.db, id, ownerKeyOf(owner), now, WITHOUT_ENTRIES);
      if (!revoked) continue;
      await deleteBytesOrDefer(services, revoked, now);
      return toListedFile({ ...file, ...WITHOUT_ENTRIES, expiresAt: new Date(now) }, now);
    }
    const removed = await removeListed(services, { file, entries, n }, null, now);
    if (removed) return toListedFile({ ...file, ...removed.changed }, now);
  }
  throw tooManyRemovals(id);
}

/** The columns of a transfer whose last entry was removed. */
const WITHOUT_ENTRIES = { entryCount: 0, size: 0 };

function hasEndedWithLastEntry({ status, deletedAt, entryCount }: FileRow): boolean {
  return status === "ready" && deletedAt !== null && entryCount === 0;
}

/**
 * Removes an entry of a ready transfer that has other entries.
 * @returns the row's new columns, and whether this call has saved the mail; null when the list has changed meanwhile
 */
export async function removeListed(
  services: Services,
  { file, entries, n }: { file: FileRow; entries: PlacedEntry[]; n: number },
  takeDown: TakeDownRecord | null,
  now: number,
): Promise<{ changed: { size: number; entryCount: number }; isMailed: boolean } | null> {
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
  const { isRemoved, isMailed } = await removeEntry(services.db, removal, takeDown);
  if (!isRemoved) return null;
  if (wipe) await wipeOrDefer(services, wipe.s3Key);
  return { changed: { size, entryCount: left.length }, isMailed };
}

/** The bytes to delete, or the whole object if no other entry is in it. @param left the transfer's other entries */
function wipeOf(fileId: string, left: PlacedEntry[], { object, offset, sizeBytes }: PlacedEntry): Wipe | null {
  if (object === null) return null;
  const s3Key = transferObjectKey(fileId, object);
  return left.some((other) => other.object === object)
    ? { s3Key, fromByte: offset, length: sizeBytes }
    : { s3Key, fromByte: 0, length: null };
}

/**
 * Removes an entry through the transfer's session, which deletes stored bytes before the transfer becomes ready.
 * @returns false when the transfer has become ready meanwhile, so that its row and list have to be changed instead
 */
export async function removeWhileUploading(services: Services, file: FileRow, n: number): Promise<boolean> {
  const session = transferSessionOf(services, file);
  const removed = await session.batch(transferBatchRequest.parse({ remove: [n] }));
  if (removed.ok) return true;
  if (removed.code === "UPLOAD_FINISHED") return false;
  if (removed.code !== "UPLOAD_COMPLETING") throw toTransferError(removed);
  const finished = await session.finish([]);
  if (!finished.ok && finished.code === "STORAGE_UNAVAILABLE") throw toTransferError(finished);
  return false;
}

/** @throws AppError BAD_REQUEST, FILE_NOT_FOUND, FILE_EXPIRED */
export function requireList(file: FileRow, pages: string[], now: number): PlacedEntry[] {
  if (file.entryCount === null) throw new AppError("BAD_REQUEST", { message: "This is a single file." });
  if (file.status !== "ready") throw new AppError("FILE_NOT_FOUND");
  if (file.adminDeleted || isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("FILE_EXPIRED");
  return pages.flatMap(decodePlaces);
}

/** @throws AppError BAD_REQUEST */
export function requireEntry(entries: PlacedEntry[], n: number): PlacedEntry {
  const entry = entries[n];
  if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  return entry;
}

export function isLast(entries: PlacedEntry[], n: number): boolean {
  return entries.every(({ removedAt }, at) => removedAt !== null || at === n);
}

export function tooManyRemovals(id: string): AppError {
  const error = new Error(`the list changed ${MAX_REMOVAL_ATTEMPTS} times meanwhile`);
  logError("transfer.removal_failed", error, { fileId: id });
  return new AppError("STORAGE_UNAVAILABLE");
}
