import { AppError } from "#domain/errors.ts";
import type { CurrentUser, ListedFile, PreviewSettings } from "#domain/wire.ts";
import { ownerKeyOf, type FileOwner } from "../callers/caller.ts";
import { findFileById } from "../db/files.ts";
import { findShowsPictures, saveShowsPicture, saveShowsPictures } from "../db/pictures.ts";
import type { Services } from "../services.ts";
import { requireOwn, toListedFile } from "./files.ts";

/** What previews of an account's links show, unless a link chooses otherwise. */
export async function readPreviews({ db }: Services, { id }: Pick<CurrentUser, "id">): Promise<PreviewSettings> {
  return { showsPicture: await findShowsPictures(db, id) };
}

export async function changePreviews(
  { db }: Services,
  { id }: Pick<CurrentUser, "id">,
  { showsPicture }: PreviewSettings,
): Promise<PreviewSettings> {
  await saveShowsPictures(db, id, showsPicture);
  return { showsPicture };
}

/**
 * Chooses whether previews of one link show its first picture. @param showsPicture null for the account's setting
 * @throws AppError FILE_NOT_FOUND
 */
export async function changePreview(
  { db }: Services,
  owner: FileOwner,
  id: string,
  showsPicture: boolean | null,
  now: number,
): Promise<ListedFile> {
  const file = requireOwn(await findFileById(db, id), owner);
  if (!(await saveShowsPicture(db, id, ownerKeyOf(owner), showsPicture))) throw new AppError("FILE_NOT_FOUND");
  return toListedFile({ ...file, showsPicture }, now);
}
