import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { transferBatchRequest, type ListedFile } from "#domain/wire.ts";
import type { RemovalResult } from "#durable-objects/transfer/ready-list.ts";
import { ownerKeyOf, owns, type FileOwner } from "../callers/caller.ts";
import { transferSessionOf, toTransferError } from "../callers/sessions.ts";
import { findFileById, revokeFile, type FileRow } from "../db/files.ts";
import { localizedError } from "../errors/translate-error.ts";
import { deleteBytesOrDefer } from "../files/deletion.ts";
import { requireOwn, toListedFile } from "../files/files.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { wipeOrDefer } from "./wipe.ts";

/** How often a removal is tried. A removal starts over when, during it, the transfer becomes ready or its link ends. */
export const MAX_REMOVAL_ATTEMPTS = 50;

/**
 * Ends one file of a transfer at once, and after that deletes the file's bytes. Removing the last file ends the
 * transfer. Idempotent.
 * @param now epoch milliseconds
 * @returns the transfer after the removal
 * @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, LINK_UNAVAILABLE, BAD_REQUEST, STORAGE_UNAVAILABLE
 */
export async function removeOwnEntry(
  services: Services,
  owner: FileOwner,
  id: string,
  n: number,
  now: number,
): Promise<ListedFile> {
  for (let attempt = 0; attempt < MAX_REMOVAL_ATTEMPTS; attempt += 1) {
    const found = await findFileById(services.db, id);
    if (found && owns(owner, found) && hasEndedWithLastEntry(found)) return toListedFile(found, now);
    const file = requireOwn(found, owner);
    if (file.status === "uploading") {
      if (await removeWhileUploading(services, file, n)) return toListedFile(file, now);
      continue;
    }
    requireList(file, now);
    const removed = await removeListed(services, file, n, now);
    if (removed.kind === "removed") {
      return toListedFile({ ...file, size: removed.sizeBytes, entryCount: removed.entries }, now);
    }
    if (removed.kind === "ended") continue;
    const revoked = await revokeFile(services.db, id, ownerKeyOf(owner), now, WITHOUT_ENTRIES);
    if (!revoked) continue;
    await deleteBytesOrDefer(services, revoked, now);
    return toListedFile({ ...file, ...WITHOUT_ENTRIES, expiresAt: new Date(now) }, now);
  }
  throw tooManyRemovals(id);
}

/** The columns of a transfer whose last entry was removed. */
const WITHOUT_ENTRIES = { entryCount: 0, size: 0 };

function hasEndedWithLastEntry({ status, deletedAt, entryCount }: FileRow): boolean {
  return status === "ready" && deletedAt !== null && entryCount === 0;
}

/**
 * Removes an entry of a ready transfer, and after that deletes its bytes. Idempotent.
 * @returns "last": nothing is removed, because no other entry is left. "ended": the link has ended
 * @throws AppError BAD_REQUEST for an unknown entry, STORAGE_UNAVAILABLE
 */
export async function removeListed(
  services: Services,
  file: FileRow,
  n: number,
  now: number,
): Promise<Extract<RemovalResult, { kind: "removed" | "last" | "ended" }>> {
  const removed = await transferSessionOf(services, file).remove(file.id, n, now);
  if (removed.kind === "unknown") throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
  if (removed.kind === "failed") throw new AppError("STORAGE_UNAVAILABLE");
  if (removed.kind === "removed") await wipeOrDefer(services, removed.wipes);
  return removed;
}

/**
 * Removes an entry through the transfer's session, which deletes stored bytes before the transfer becomes ready.
 * @returns false when the transfer is already ready, so that its list has to be changed instead
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

/** @throws AppError BAD_REQUEST, FILE_NOT_FOUND, LINK_UNAVAILABLE for a transfer kept for the authorities, FILE_EXPIRED */
export function requireList(file: FileRow, now: number): void {
  if (file.entryCount === null) throw new AppError("BAD_REQUEST", { message: "This is a single file." });
  if (file.status !== "ready") throw new AppError("FILE_NOT_FOUND");
  if (file.keptAt !== null) throw new AppError("LINK_UNAVAILABLE");
  if (file.adminDeleted || isExpired(file.expiresAt?.getTime() ?? null, now)) throw new AppError("FILE_EXPIRED");
}

export function tooManyRemovals(id: string): AppError {
  const error = new Error(`the list changed ${MAX_REMOVAL_ATTEMPTS} times meanwhile`);
  logError("transfer.removal_failed", error, { fileId: id });
  return new AppError("STORAGE_UNAVAILABLE");
}
