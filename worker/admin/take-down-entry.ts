import { AppError } from "#domain/errors.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import { recordTakeDown, type TakeDownRecord } from "../db/entry-wipes.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { findMailReader } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { mailedName } from "../links/describe-link.ts";
import { entryTakenDownMessage } from "../mail/messages/moderation.tsx";
import { newStatement, type Decided } from "../moderation/statements.ts";
import type { PreparedMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import {
  MAX_REMOVAL_ATTEMPTS,
  removeListed,
  removeWhileUploading,
  requireList,
  tooManyRemovals,
} from "../transfers/remove-entry.ts";
import { blockTakenDownEntry } from "./block-list.ts";
import { takeDown } from "./files.ts";

/**
 * Ends one file of a transfer at once, mails the reason to the owner, and deletes the file's bytes. If no other file is
 * left, the transfer ends. A call that failed can be repeated: its log entry and mail are saved once.
 * @param now epoch milliseconds @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, BAD_REQUEST
 */
export async function takeDownEntry(
  services: Services,
  admin: AdminViewer,
  { id, n }: { id: string; n: number },
  decided: Decided,
  now: number,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_REMOVAL_ATTEMPTS; attempt += 1) {
    const file = await findFileById(services.db, id);
    const isUploading = file?.status === "uploading" && file.entryCount !== null;
    if (!isUploading && file?.status !== "ready") throw new AppError("FILE_NOT_FOUND");
    if (!isUploading) requireList(file, now);
    const [entry] = await transferSessionOf(services, file).locate(id, [n]);
    if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
    if (!isUploading && entry.state === "removed") throw localizedError("FILE_EXPIRED", "entryRemoved", {});
    if (!isUploading && file.entryCount === 1) {
      await takeDown(services, admin, id, decided, now);
      return;
    }
    const record = await describe(services, admin, file, { n, path: entry.path }, decided, now);
    // Saves the record before the removal: a failed removal can be repeated, but a record after the removal could be
    // lost.
    const isMailed = await recordTakeDown(services.db, record);
    const isRemoved = isUploading
      ? await removeWhileUploading(services, file, n)
      : (await removeListed(services, file, n, now)).kind === "removed";
    if (isMailed) record.mail?.send();
    await blockTakenDownEntry(
      services,
      file.id,
      file.seal === null && entry.crcSource === "server" ? entry.sha256 : null,
      now,
    );
    if (isRemoved) return;
  }
  throw tooManyRemovals(id);
}

async function describe(
  services: Services,
  admin: AdminViewer,
  file: FileRow,
  { n, path }: { n: number; path: string },
  { reason, ground }: Decided,
  now: number,
): Promise<TakeDownRecord & { mail: PreparedMail | null }> {
  const reader = file.userId === null ? null : await findMailReader(services.db, file.userId);
  const about = { decision: "taken-down", reader: "owner", fileId: file.id, userId: file.userId, about: path } as const;
  const { row, objectionUrl } = await newStatement(services, { ...about, reportId: null, reason }, now);
  const message =
    reader && entryTakenDownMessage(reader, { path, title: mailedName(file) }, { reason, ground, objectionUrl });
  return {
    log: {
      // The id is the same at every repetition, so that only the first record is saved.
      id: `${file.id}/${n}`,
      admin,
      action: "file.take-down",
      target: file.id,
      details: `${path}: ${reason}`,
      at: now,
    },
    statement: row,
    mail: message && services.outbox.prepare(message),
  };
}
