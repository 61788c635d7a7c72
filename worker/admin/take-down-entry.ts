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
 * Ends one file of a transfer at once and mails the reason to the owner; its bytes follow. The last one ends the
 * transfer. A call that failed can be repeated: the log entry and the mail are saved once.
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
      // First, because the removal can be repeated after a failure. A record that follows it could be lost.
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
    // If the answer was lost after the mail was saved, the cron sends it.
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
      // The same for every repetition, so that only the first one is saved.
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
