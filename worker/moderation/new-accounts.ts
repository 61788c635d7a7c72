import { AppError } from "#domain/errors.ts";
import { countDownloads, type FinishedDownload } from "../db/download-counts.ts";
import { findFileById, type FileRow } from "../db/files.ts";
import { holdLink } from "../db/cases.ts";
import { countRecentRecipients, findDaysOfNewAccounts, isNewAccount } from "../db/new-account-limits.ts";
import { findMailReader } from "../db/users.ts";
import { mailedName } from "../links/describe-link.ts";
import { linkHeldMessage } from "../mail/messages/moderation.tsx";
import { notify } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/**
 * Counts downloads (`countDownloads`), and holds the links of new accounts whose links were downloaded more often today
 * than those of new accounts may be. @param now epoch milliseconds
 */
export async function countAndWatch(
  services: Services,
  downloads: readonly FinishedDownload[],
  now: number,
): Promise<void> {
  const { db, settings } = services;
  const ids = await countDownloads(db, downloads);
  if (ids.length === 0) return;
  for (const { fileId, userId, count } of await findDaysOfNewAccounts(db, ids, settings, now)) {
    if (count <= settings.newAccountDownloads) continue;
    await hold(services, { fileId, userId, limit: "downloads", count }, now);
  }
}

/**
 * Checks how many addresses a new account mails links to within a day. Beyond the limit, the link waits for an
 * administrator's look.
 * @param count how many addresses the link is to be mailed to now
 * @param now epoch milliseconds
 * @throws AppError LINK_HELD
 */
export async function requireFewRecipients(
  services: Services,
  { id: fileId, userId, heldAt }: Pick<FileRow, "id" | "userId" | "heldAt">,
  count: number,
  now: number,
): Promise<void> {
  const { db, settings } = services;
  if (heldAt !== null) throw new AppError("LINK_HELD");
  if (userId === null || !(await isNewAccount(db, userId, settings, now))) return;
  const recent = await countRecentRecipients(db, userId, now);
  if (recent + count <= settings.newAccountRecipients) return;
  await hold(services, { fileId, userId, limit: "recipients", count: recent + count }, now);
  throw new AppError("LINK_HELD");
}

interface Exceeded {
  fileId: string;
  userId: string;
  limit: "downloads" | "recipients";
  count: number;
}

async function hold(services: Services, { fileId, userId, limit, count }: Exceeded, now: number): Promise<void> {
  const { db, outbox } = services;
  if (!(await holdLink(db, { fileId, userId, detail: { limit, count } }, now))) return;
  const [reader, file] = await Promise.all([findMailReader(db, userId), findFileById(db, fileId)]);
  if (reader && file) await notify(outbox, linkHeldMessage(reader, mailedName(file), limit));
}
