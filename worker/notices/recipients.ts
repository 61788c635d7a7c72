import { AppError } from "#domain/errors.ts";
import type { DownloadNotice } from "#domain/notices/when-mailed.ts";
import { limitFor } from "#domain/plans.ts";
import type { CurrentUser, ListedRecipient, RecipientsAnswer, ShareAnswer } from "#domain/wire.ts";
import { accountOf } from "../callers/caller.ts";
import type { RequestContext } from "../context.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { setNotify } from "../db/notice-settings.ts";
import {
  findRecipient,
  findStops,
  listRecipients,
  stopRecipient,
  type RecipientRow,
  noteOpenedBy,
} from "../db/recipients.ts";
import { atPrimary } from "../db/replicas.ts";
import { requireOwn } from "../files/files.ts";
import { recipientTokenOf } from "../links/open-link.ts";
import { logError } from "../log.ts";
import type { Services } from "../services.ts";
import { toIso } from "../urls.ts";
import { countMails, digestAll, mailCountedLink } from "./mail-link.ts";

/** @throws AppError FILE_NOT_FOUND */
export async function readRecipients(services: Services, user: CurrentUser, id: string): Promise<RecipientsAnswer> {
  const [file, rows] = await Promise.all([getOwn(services, user, id), listRecipients(services.db, id)]);
  const digests = await digestAll(
    services,
    rows.map(({ email }) => email),
  );
  const stops = rows.length === 0 ? new Set<string>() : await findStops(services.db, [...digests.values()], user.id);
  return {
    recipients: rows.map((row) => listed(row, stops.has(digests.get(row.email) ?? ""))),
    left: Math.max(0, limitFor(user.planType).recipients - rows.length),
    notify: file.notify,
  };
}

/** Mails a recipient their link again. @throws AppError FILE_NOT_FOUND, RATE_LIMITED, errors of `mailCountedLink` */
export async function mailAgain(
  context: RequestContext,
  user: CurrentUser,
  { id, recipientId }: { id: string; recipientId: string },
  now: number,
): Promise<ShareAnswer> {
  const { services } = context;
  await countMails(context, user.id, 1);
  const [, recipient] = await Promise.all([getOwn(services, user, id), findRecipient(services.db, recipientId)]);
  if (recipient?.transferId !== id) throw new AppError("FILE_NOT_FOUND");
  return mailCountedLink(services, user, id, { email: recipient.email, note: "" }, now);
}

/** Stops mails about a link to one recipient. The recipient's link still works. @throws AppError FILE_NOT_FOUND */
export async function stopMailing(
  services: Services,
  user: CurrentUser,
  { id, recipientId }: { id: string; recipientId: string },
  now: number,
): Promise<void> {
  await getOwn(services, user, id);
  if (!(await stopRecipient(services.db, id, recipientId, now))) throw new AppError("FILE_NOT_FOUND");
}

/**
 * @param notify when the owner gets mail about the link's downloads; null for the account's setting
 * @throws AppError FILE_NOT_FOUND
 */
export async function changeNotify(
  services: Services,
  user: CurrentUser,
  id: string,
  notify: DownloadNotice | null,
): Promise<void> {
  await getOwn(services, user, id);
  if (!(await setNotify(services.db, id, user.id, notify))) throw new AppError("FILE_NOT_FOUND");
}

async function getOwn({ db }: Services, user: CurrentUser, id: string): Promise<FileRow> {
  return requireOwn(await findFileById(db, id), accountOf(user));
}

function listed(row: RecipientRow, refusesMail: boolean): ListedRecipient {
  const moment = (at: Date | null) => toIso(at?.getTime() ?? null);
  return {
    id: row.id,
    email: row.email,
    sentAt: row.sentAt.toISOString(),
    openedAt: moment(row.openedAt),
    firstDownloadAt: moment(row.firstDownloadAt),
    lastDownloadAt: moment(row.lastDownloadAt),
    downloads: row.downloads,
    stoppedAt: moment(row.stoppedAt),
    refusesMail,
  };
}

/**
 * Saves, after the answer is sent, that a recipient opened the page of their link. A visit by the link's owner does not
 * count.
 */
export function noteOpening({ request, services, currentUser }: RequestContext, downloadId: string, now: number): void {
  const token = recipientTokenOf(request);
  if (token === null) return;
  const note = async () => {
    const viewer = await currentUser();
    await atPrimary(() => noteOpenedBy(services.db, { downloadId, token, viewerId: viewer?.id ?? null }, now));
  };
  services.waitUntil(note().catch((error: unknown) => logError("recipient.opening_not_noted", error)));
}
