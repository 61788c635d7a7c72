import { AppError } from "#domain/errors.ts";
import { SUSPENSION_MS } from "#domain/moderation/statements.ts";
import type { AdminViewer } from "#domain/wire.ts";
import { anySessionOf } from "../callers/sessions.ts";
import { findUser } from "../db/admin-users.ts";
import { listUploadingOf } from "../db/files.ts";
import { isSuspended, listLongSuspended, listSuspendedUploaders, restoreUser, suspendUser } from "../db/suspensions.ts";
import { releaseFile } from "../db/uploads.ts";
import { beginUserDeletion, findMailReader } from "../db/users.ts";
import { localizedError } from "../errors/translate-error.ts";
import { logError } from "../log.ts";
import { accountRestoredMessage, accountSuspendedMessage } from "../mail/messages/moderation.tsx";
import type { Services } from "../services.ts";
import { newStatement, type Decided } from "./statements.ts";

/** The most uploads of an account that one call ends. */
const UPLOADS_PER_CALL = 100;
/** The most accounts that a run of the cron handles. */
const ACCOUNTS_PER_RUN = 20;
/** The name in the admin log of what the cron does. */
const CRON: AdminViewer = { userId: null, username: "cron" };

/**
 * Suspends an account at once, and mails its owner the reason and a link to object. Deletes nothing but unfinished
 * uploads (decision 059).
 * @param now epoch milliseconds
 * @throws AppError NOT_FOUND; SUSPENDS_ITSELF; LAST_ADMIN; ALREADY_SUSPENDED
 */
export async function suspendAccount(
  services: Services,
  admin: AdminViewer,
  userId: string,
  { reason, ground }: Decided,
  now: number,
): Promise<void> {
  const { db, outbox } = services;
  if (admin.userId === userId) throw new AppError("SUSPENDS_ITSELF");
  const reader = await findMailReader(db, userId);
  if (!reader) throw localizedError("NOT_FOUND", "noSuchUser", {});
  const { email } = reader;
  const decided = { decision: "suspended", reader: "owner", fileId: null, userId, reportId: null } as const;
  const { row, objectionUrl } = await newStatement(services, { ...decided, about: email, reason }, now);
  const mail = outbox.prepare(accountSuspendedMessage(reader, { reason, ground, objectionUrl }, now + SUSPENSION_MS));
  const entry = { admin, action: "user.suspend", target: userId, details: `${email}: ${reason}`, at: now } as const;
  if (!(await suspendUser(db, email, entry, row, mail))) {
    if (await isSuspended(db, userId)) throw new AppError("ALREADY_SUSPENDED");
    throw (await findUser(db, userId)) ? new AppError("LAST_ADMIN") : localizedError("NOT_FOUND", "noSuchUser", {});
  }
  mail.send();
  services.waitUntil(endUploads(services, userId));
}

/**
 * Lifts a suspension, and mails the owner.
 * @param now epoch milliseconds @throws AppError NOT_FOUND for an account that is not suspended
 */
export async function restoreAccount(
  services: Services,
  admin: AdminViewer,
  userId: string,
  now: number,
): Promise<void> {
  const { db, outbox, settings } = services;
  const reader = await findMailReader(db, userId);
  if (!reader) throw localizedError("NOT_FOUND", "noSuchUser", {});
  const mail = outbox.prepare(accountRestoredMessage(reader, settings.origin));
  const entry = { admin, action: "user.restore", target: userId, details: reader.email, at: now } as const;
  if (!(await restoreUser(db, entry, mail))) throw localizedError("NOT_FOUND", "notSuspended", {});
  mail.send();
}

/** Ends unfinished uploads of an account, also those that strangers send through its upload requests. Idempotent. */
async function endUploads(services: Services, userId: string): Promise<number> {
  const uploads = await listUploadingOf(services.db, userId, UPLOADS_PER_CALL);
  for (const file of uploads) {
    try {
      const cancelled = await anySessionOf(services, file).cancel();
      if (!cancelled.ok && cancelled.code === "NO_UPLOAD") {
        await releaseFile(services.db, file.id, "cancelled", "CANCELLED");
      }
    } catch (error) {
      logError("suspension.upload_deferred", error, { fileId: file.id });
    }
  }
  return uploads.length;
}

/**
 * Ends uploads that a suspension could not end at once, and begins to delete accounts that have been suspended for 30
 * days. @param now epoch milliseconds @returns how many accounts are being deleted
 */
export async function finishSuspensions(services: Services, now: number): Promise<number> {
  const { db } = services;
  for (const userId of await listSuspendedUploaders(db, ACCOUNTS_PER_RUN)) await endUploads(services, userId);
  let deleted = 0;
  for (const { id, email } of await listLongSuspended(db, now - SUSPENSION_MS, ACCOUNTS_PER_RUN)) {
    const entry = { admin: CRON, action: "user.delete", target: id, details: email, at: now } as const;
    if (await beginUserDeletion(db, id, now, entry)) deleted += 1;
  }
  return deleted;
}
