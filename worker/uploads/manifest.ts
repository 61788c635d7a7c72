import { AppError } from "#domain/errors.ts";
import { isManifestTooLong, type PutManifest, type PutManifestAnswer } from "#domain/wire.ts";
import { ownerKeyOf, type FileOwner } from "../callers/caller.ts";
import { anySessionOf, transferSessionOf } from "../callers/sessions.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { atPrimary } from "../db/replicas.ts";
import { expiredError } from "../errors/link-errors.ts";
import { localizedInputError } from "../errors/translate-error.ts";
import { requireOwn } from "../files/files.ts";
import type { Services } from "../services.ts";

/**
 * Stores the next encrypted list of files, while the upload runs or afterwards. The same one again changes nothing.
 * @throws AppError FILE_NOT_FOUND, NOT_SEALED, BAD_REQUEST for a list that is too long for its files, MANIFEST_CONFLICT with the current `revision`, FILE_EXPIRED once the link
 *   has ended, STORAGE_UNAVAILABLE, UPLOAD_FINISHED for a list that is not final after the upload
 */
export async function putManifest(
  services: Services,
  owner: FileOwner,
  id: string,
  manifest: PutManifest,
): Promise<PutManifestAnswer> {
  const file = requireOwn(await findFileById(services.db, id), owner);
  if (file.seal === null) throw new AppError("NOT_SEALED");
  const { revision, final, body } = manifest;
  if (isManifestTooLong(body, await countListed(services, file))) {
    throw localizedInputError("manifestLong", { field: "body" }, { field: "body" });
  }
  const put = await anySessionOf(services, file).putManifest(id, ownerKeyOf(owner), manifest);
  if (put === null) throw new AppError("STORAGE_UNAVAILABLE");
  const { isReplaced, stored } = put;
  if (isReplaced) return { revision };
  if (stored === null) throw expiredError(file);
  if (stored.revision === revision && stored.final === final && stored.body === body) return { revision };
  if (stored.revision !== revision - 1) throw new AppError("MANIFEST_CONFLICT", { revision: stored.revision });
  throw final ? expiredError(file) : new AppError("UPLOAD_FINISHED");
}

/**
 * Counts the files of a list. Removed files of a finished transfer count, because its sender may not have made the list
 * anew.
 */
async function countListed(services: Services, file: FileRow): Promise<number> {
  if (file.entryCount === null) return 1;
  if (file.status !== "ready") return file.entryCount;
  const nothing = { from: 0, count: 0, withRemoved: true };
  return (await transferSessionOf(services, file).list(file.id, nothing)).total;
}

/** Refuses a sealed upload without a final manifest; a plain one needs none. @throws AppError MANIFEST_MISSING */
export async function requireFinalManifest({ db }: Services, file: FileRow): Promise<void> {
  if (file.seal === null || file.manifestFinal) return;
  // The row may come from a replica.
  const current = await atPrimary(() => findFileById(db, file.id));
  if (!current?.manifestFinal) throw new AppError("MANIFEST_MISSING");
}
