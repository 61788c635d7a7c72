import { AppError } from "#domain/errors.ts";
import { SECOND_MS } from "#domain/units.ts";
import { ENTRIES_PER_CALL } from "#domain/transfers/limits.ts";
import type {
  AdminFile,
  AdminUserFilesQuery,
  AdminViewer,
  ExpiredFilesQuery,
  ListedEntries,
  Paged,
} from "#domain/wire.ts";
import { blockTakenDown } from "./block-list.ts";
import { anySessionOf } from "../callers/sessions.ts";
import {
  deleteAnyFile,
  findAnyFile,
  listExpired,
  takeDownFile,
  type EndedFile,
  type TakenDownFile,
} from "../db/admin-files.ts";
import { findUser } from "../db/admin-users.ts";
import { listFilesOf, type FileRow } from "../db/files.ts";
import { toPage } from "../db/paging.ts";
import { saveStatement } from "../db/statements.ts";
import { findMailReader } from "../db/users.ts";
import { describeList, requireEntryList, summarizeTransfer } from "../downloads/entries.ts";
import { expiredError } from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { deleteBytesOrDefer } from "../files/deletion.ts";
import { fileFields, mailedName } from "../links/describe-link.ts";
import { logError } from "../log.ts";
import { countFiles, type TransferSummary } from "../mail/messages/files.tsx";
import { fileTakenDownMessage } from "../mail/messages/moderation.tsx";
import { newStatement, type Decided } from "../moderation/statements.ts";
import type { Services } from "../services.ts";
import { toIso } from "../urls.ts";

/** @param now epoch milliseconds @throws AppError NOT_FOUND when there is no such user */
export async function listUserFiles(
  { db }: Services,
  userId: string,
  { q = "", sort = "newest", ...place }: AdminUserFilesQuery,
  now: number,
): Promise<Paged<AdminFile>> {
  const [user, listed] = await Promise.all([
    findUser(db, userId),
    listFilesOf(db, userId, { ...place, search: q, order: sort }),
  ]);
  if (!user) throw localizedError("NOT_FOUND", "noSuchUser", {});
  return toPage(listed, (row) => describeFile(row, now));
}

/** Lists the expired files of all users. @param now epoch milliseconds */
export async function listExpiredFiles(
  { db }: Services,
  query: ExpiredFilesQuery,
  now: number,
): Promise<Paged<AdminFile>> {
  return toPage(await listExpired(db, query, now), (row) => describeFile(row, now));
}

/** @param search a file's id, download id or link @param now epoch milliseconds @throws AppError FILE_NOT_FOUND */
export async function getAnyFile({ db }: Services, search: string, now: number): Promise<AdminFile> {
  const id = /\/download\/([^/?#]+)/.exec(search)?.[1] ?? search;
  const file = await findAnyFile(db, id);
  if (!file) throw new AppError("FILE_NOT_FOUND");
  return describeFile(file, now);
}

/**
 * A page of a transfer's list, with removed files. Works after the link has ended, too.
 * @param from entry number @throws AppError FILE_NOT_FOUND, BAD_REQUEST for a single file
 */
export async function listFileEntries(services: Services, id: string, from: number): Promise<ListedEntries> {
  const file = await findAnyFile(services.db, id);
  if (!file) throw new AppError("FILE_NOT_FOUND");
  requireEntryList(file);
  return describeList(services, file, { from, count: ENTRIES_PER_CALL, withRemoved: true });
}

export function describeFile(file: FileRow, now: number): AdminFile {
  return {
    ...fileFields(file, now),
    userId: file.userId,
    s3DeletedAt: toIso(file.s3DeletedAt?.getTime() ?? null),
    adminDeleted: file.adminDeleted,
    takedownReason: file.takedownReason,
  };
}

/**
 * Ends the file's link at once. If the bytes cannot be deleted now, the sweep deletes them.
 * @param now epoch milliseconds @throws AppError FILE_NOT_FOUND
 */
export async function deleteFileAsAdmin(
  services: Services,
  admin: AdminViewer,
  id: string,
  now: number,
): Promise<void> {
  const file = await findAnyFile(services.db, id);
  const entry = {
    admin,
    action: "file.delete",
    target: id,
    details: file ? nameInLog(file) : "",
    at: now,
  } as const;
  const deleted = await deleteAnyFile(services.db, id, entry);
  if (!deleted) throw new AppError("FILE_NOT_FOUND");
  await discardBytes(services, deleted, now);
}

/**
 * Ends the file's link at once, mails the reason to the owner, and deletes the bytes.
 * @param now epoch milliseconds @throws AppError FILE_NOT_FOUND, FILE_EXPIRED
 */
export async function takeDown(
  services: Services,
  admin: AdminViewer,
  id: string,
  decided: Decided,
  now: number,
): Promise<void> {
  const { reason } = decided;
  const found = await findAnyFile(services.db, id);
  // The id of a link is not the id of its file.
  if (found?.id !== id) throw new AppError("FILE_NOT_FOUND");
  const details = found.entryCount === null ? reason : `${nameInLog(found)}: ${reason}`;
  const entry = { admin, action: "file.take-down", target: id, details, at: now } as const;
  const file = await takeDownFile(services.db, id, reason, entry);
  if (!file) throw expiredError(found);
  await finishTakeDown(services, file, decided, now);
}

/**
 * Mails the owner, keeps the file from coming back, and deletes its bytes unless they are kept for the authorities.
 * @param now epoch milliseconds
 */
export async function finishTakeDown(
  services: Services,
  file: TakenDownFile,
  { reason, ground }: Decided,
  now: number,
): Promise<void> {
  const reader = file.userId === null ? null : await findMailReader(services.db, file.userId);
  if (reader !== null) {
    const name = mailedName(file);
    const content = file.entryCount === null || file.seal !== null ? null : await summarizeOrLog(services, file);
    const decided = { decision: "taken-down", reader: "owner", fileId: file.id, userId: file.userId } as const;
    const { row, objectionUrl } = await newStatement(
      services,
      { ...decided, reportId: null, about: name, reason },
      now,
    );
    const reasons = { reason, ground, objectionUrl };
    const mail = services.outbox.prepare(fileTakenDownMessage(reader, { name, content }, reasons));
    await saveStatement(services.db, row, mail);
    mail.send();
  }
  await blockTakenDown(services, file, now);
  await discardBytes(services, file, now);
}

/** @returns null when the transfer's list cannot be read: in that case the owner gets the mail without the list */
async function summarizeOrLog(services: Services, file: TakenDownFile): Promise<TransferSummary | null> {
  try {
    return await summarizeTransfer(services, file);
  } catch (error) {
    logError("mail.list_failed", error, { fileId: file.id });
    return null;
  }
}

/** The name of a file in the audit log, for example "Holiday (312 files)". */
function nameInLog({ entryCount, ...file }: Pick<FileRow, "filename" | "seal" | "entryCount">): string {
  const name = mailedName(file);
  return entryCount === null ? name : `${name} (${countFiles(entryCount)})`;
}

/** How often an upload is cancelled if its session does not answer: as long as it is not, people may follow it. */
const CANCEL_ATTEMPTS = 3;
const CANCEL_AGAIN_MS = SECOND_MS;

/**
 * Deletes the bytes of a file, or cancels its upload. If a deletion fails, the sweep or the alarm of the upload's
 * session finishes it.
 */
async function discardBytes(services: Services, file: EndedFile, now: number): Promise<void> {
  if (file.status !== "uploading") {
    await deleteBytesOrDefer(services, file, now);
    return;
  }
  for (let attempt = 1; attempt <= CANCEL_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await scheduler.wait(CANCEL_AGAIN_MS);
    try {
      await anySessionOf(services, file).cancel();
      return;
    } catch (error) {
      logError("file.cancel_deferred", error, { fileId: file.id });
    }
  }
}
