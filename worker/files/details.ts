import type { CurrentUser, FileDetails } from "#domain/wire.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import type { Services } from "../services.ts";
import { mailedName } from "../links/describe-link.ts";
import { getOwnReadyFile, requireOwn, toListedFile } from "./files.ts";

/** @param now epoch milliseconds @throws AppError FILE_NOT_FOUND, also for an upload that is not finished */
export async function readDetails({ db }: Services, user: CurrentUser, id: string, now: number): Promise<FileDetails> {
  return toDetails(await getOwnReadyFile(db, user, id), now);
}

/** @returns the name of an upload that is not finished; null for none @throws AppError FILE_NOT_FOUND */
export async function findUnfinishedName({ db }: Services, user: CurrentUser, id: string): Promise<string | null> {
  const owner = { userId: user.id, tokenHash: null, plan: user.planType };
  const file = requireOwn(await findFileById(db, id), owner);
  return file.status === "uploading" ? mailedName(file) : null;
}

function toDetails(file: FileRow, now: number): FileDetails {
  const { requestId, senderName, senderEmail, senderNote } = file;
  const received = { senderName, senderEmail, senderNote, hasLink: file.forwardedAt !== null };
  return {
    ...toListedFile(file, now),
    ...(requestId === null ? {} : { received }),
  };
}
