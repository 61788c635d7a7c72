import { AppError } from "#domain/errors.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import { findFileWithPages, recordTakeDown, type TakeDownRecord } from "../db/entry-wipes.ts";
import type { FileRow } from "../db/files.ts";
import { findEmail } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { mailedName } from "../links/describe-link.ts";
import { entryTakenDownMessage } from "../mail/messages/files.tsx";
import type { PreparedMail } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import {
  isLast,
  MAX_REMOVAL_ATTEMPTS,
  removeListed,
  removeWhileUploading,
  requireEntry,
  requireList,
  tooManyRemovals,
} from "../transfers/remove-entry.ts";
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
  reason: string,
  now: number,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_REMOVAL_ATTEMPTS; attempt += 1) {
    const found = await findFileWithPages(services.db, id);
    const file = found?.file;
    if (file?.status === "uploading" && file.entryCount !== null) {
      const [entry] = await transferSessionOf(services, file).locate([n]);
      if (!entry) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
      const record = await describe(services, admin, file, { n, path: entry.path }, reason, now);
      // The record precedes the removal, because a failed removal can be repeated, but a later record could be lost.
      const isMailed = await recordTakeDown(services.db, record);
      const isRemoved = await removeWhileUploading(services, file, n);
      if (isMailed) record.mail?.send();
      if (isRemoved) return;
      continue;
    }
    if (file?.status !== "ready") throw new AppError("FILE_NOT_FOUND");
    const entries = requireList(file, found?.pages ?? [], now);
    const entry = requireEntry(entries, n);
    if (entry.removedAt !== null) throw localizedError("FILE_EXPIRED", "entryRemoved", {});
    if (isLast(entries, n)) {
      await takeDown(services, admin, id, reason, now);
      return;
    }
    const record = await describe(services, admin, file, { n, path: entry.path }, reason, now);
    const removed = await removeListed(services, { file, entries, n }, record, now);
    if (!removed) continue;
    // If `removeListed` saved the mail but its answer was lost, the cron sends the mail.
    if (removed.isMailed) record.mail?.send();
    return;
  }
  throw tooManyRemovals(id);
}

async function describe(
  services: Services,
  admin: AdminViewer,
  file: FileRow,
  { n, path }: { n: number; path: string },
  reason: string,
  now: number,
): Promise<TakeDownRecord & { mail: PreparedMail | null }> {
  const email = file.userId === null ? null : await findEmail(services.db, file.userId);
  const message =
    email === null
      ? null
      : entryTakenDownMessage(email, { path, title: mailedName(file) }, reason, services.settings.origin);
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
    mail: message && services.outbox.prepare(message),
  };
}
