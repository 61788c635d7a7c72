import { AppError } from "#domain/errors.ts";
import { isExpired } from "#domain/expiry.ts";
import { newRowId, shardOfRowId } from "#domain/ids.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { digestEmail, newRecipientToken, issueUnsubscribe, type StoppedMail } from "#domain/notices/tokens.ts";
import { limitFor } from "#domain/plans.ts";
import type { CurrentUser, ShareAnswer, ShareFileRequest } from "#domain/wire.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { isWithoutLink, type FileRow } from "../db/files.ts";
import {
  countRecipients,
  findLocales,
  findStops,
  listRecipients,
  saveRecipients,
  type MailedRecipient,
} from "../db/recipients.ts";
import { summarizeTransfer } from "../downloads/entries.ts";
import { expiredError } from "../errors/link-errors.ts";
import { localizedError } from "../errors/translate-error.ts";
import { getOwnReadyFile, toListedFile } from "../files/files.ts";
import { giveBackRateLimit } from "../limits/enforce-rate-limit.ts";
import { fileSharedMessage, type Reader } from "../mail/messages/notices.tsx";
import { requireFewRecipients } from "../moderation/new-accounts.ts";
import type { Services } from "../services.ts";
import { recipientUrl, unsubscribeUrl } from "../urls.ts";

/**
 * Mails a link to several people within the account's limits. Mails that the plan refuses do not count.
 * @param now epoch milliseconds
 * @throws AppError RATE_LIMITED, and the errors of `mailLink`
 */
export async function mailLinkWithinLimits(
  context: RequestContext,
  user: CurrentUser,
  id: string,
  { emails, note }: { emails: readonly string[]; note: string },
  now: number,
): Promise<ShareAnswer> {
  const addresses = distinct(emails);
  await countMails(context, user.id, addresses.length);
  try {
    return await mailLink(context.services, user, id, { emails: addresses, note }, now);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "PLAN_LIMIT_EXCEEDED") throw error;
    await Promise.all(MAIL_LIMITS.map((limit) => giveBack(context, limit, user.id, addresses.length)));
    throw error;
  }
}

/** Mails the link to one address, for which `countMails` was called. @throws as `mailLink` */
export async function mailCountedLink(
  services: Services,
  user: CurrentUser,
  id: string,
  { email, note }: ShareFileRequest,
  now: number,
): Promise<ShareAnswer> {
  return mailLink(services, user, id, { emails: distinct([email]), note }, now);
}

const MAIL_LIMITS = ["shareByMail", "shareByMailInADay"] as const;

/**
 * Counts mails for the limits by the hour and by the day. Counts either all of the mails or none.
 * @throws AppError RATE_LIMITED if they exceed a limit
 */
export async function countMails(context: RequestContext, userId: string, count: number): Promise<void> {
  await context.enforceRateLimit("shareByMail", userId, count);
  try {
    await context.enforceRateLimit("shareByMailInADay", userId, count);
  } catch (error) {
    await giveBack(context, "shareByMail", userId, count);
    throw error;
  }
}

function giveBack(
  { services, request }: RequestContext,
  limit: (typeof MAIL_LIMITS)[number],
  account: string,
  count: number,
): Promise<void> {
  return giveBackRateLimit(services, limit, { ip: ipOf(request), account, count });
}

/**
 * Mails each address a link of its own. Returns the addresses that want no mail, without mailing them.
 * @param emails distinct, in lower case
 * @throws AppError FILE_NOT_FOUND, also for a received file without a link, LINK_NEEDS_KEY, FILE_EXPIRED, LINK_HELD,
 * PLAN_LIMIT_EXCEEDED with `planLimitExceeded`; on an error, no mail is sent
 */
async function mailLink(
  services: Services,
  user: CurrentUser,
  id: string,
  { emails, note }: { emails: readonly string[]; note: string },
  now: number,
): Promise<ShareAnswer> {
  const { db } = services;
  const file = await getOwnReadyFile(db, user, id);
  if (isWithoutLink(file)) throw localizedError("FILE_NOT_FOUND", "receivedWithoutLink", {});
  if (file.seal !== null) throw new AppError("LINK_NEEDS_KEY");
  if (isExpired(file.expiresAt?.getTime() ?? null, now)) throw expiredError(file);
  const digests = await digestAll(services, emails);
  const [known, stops, locales, content] = await Promise.all([
    listRecipients(db, id),
    findStops(db, [...digests.values()], user.id),
    findLocales(db, emails),
    file.entryCount === null ? null : summarizeTransfer(services, file),
  ]);
  const addresses = emails.map((email): MailedRecipient => {
    const row = known.find((each) => each.email === email);
    return row ?? { id: newRowId(shardOfRowId(id)), email, token: newRecipientToken() };
  });
  const refused = emails.filter((email) => stops.has(digests.get(email) ?? ""));
  const mailed = addresses.filter(({ email }) => !refused.includes(email));
  const shared = { ...sharedOf(file, user, now), content, note };
  const mails = await Promise.all(
    mailed.map(async (recipient) => {
      const about = { kind: "files", id: recipient.id } as const;
      const reader = await readerOf(
        services,
        { email: recipient.email, locale: locales.get(recipient.email) ?? null },
        about,
      );
      const link = recipientUrl(services.settings, file.downloadId, recipient.token);
      return { ...recipient, ...services.outbox.prepare(fileSharedMessage(reader, { ...shared, link })) };
    }),
  );
  await requireFewRecipients(services, file, mails.length, now);
  const most = limitFor(user.planType).recipients;
  if (mails.length > 0 && !(await saveRecipients(db, id, mailed, mails, most, now))) {
    throw tooManyRecipients(most, await countRecipients(db, id));
  }
  for (const mail of mails) mail.send();
  return {
    message: messageOf(
      mailed.map(({ email }) => email),
      refused,
    ),
    sent: mailed.length,
    refused,
  };
}

function sharedOf(file: FileRow, user: CurrentUser, now: number) {
  const { expiresAt, filename, title, guards } = toListedFile(file, now);
  return { sender: user.email, name: title ?? filename, size: file.size, expiresAt, guards };
}

/** @param has to how many addresses the link has been mailed */
function tooManyRecipients(most: number, has: number): AppError {
  const values = { count: most, left: Math.max(0, most - has) };
  return localizedError("PLAN_LIMIT_EXCEEDED", "tooManyRecipients", values, { planLimitExceeded: true });
}

/** The English sentence that tells programs who was mailed. Pages show translated sentences of their own. */
function messageOf(sent: readonly string[], refused: readonly string[]): string {
  const [first] = sent;
  const on =
    sent.length === 1 ? `The link is on its way to ${first}.` : `The link is on its way to ${sent.length} people.`;
  const not = `${refused.join(", ")} ${refused.length === 1 ? "wants" : "want"} no more mail.`;
  return [...(sent.length > 0 ? [on] : []), ...(refused.length > 0 ? [not] : [])].join(" ");
}

function distinct(emails: readonly string[]): string[] {
  return [...new Set(emails.map((email) => email.toLowerCase()))];
}

/** @returns the hash of each address, by address */
export async function digestAll({ noticeKeys }: Services, emails: readonly string[]): Promise<Map<string, string>> {
  const keys = await noticeKeys();
  return new Map(await Promise.all(emails.map(async (email) => [email, await digestEmail(keys, email)] as const)));
}

/** @param locale null if the reader's language is unknown: English @param stops the mails that the reader can stop */
export async function readerOf(
  { settings, noticeKeys }: Services,
  { email, locale, timeZone = "UTC" }: { email: string; locale: Locale | null; timeZone?: string },
  stops: StoppedMail,
): Promise<Reader> {
  const token = await issueUnsubscribe(await noticeKeys(), stops);
  return { email, locale: locale ?? LOCALES[0], timeZone, unsubscribeUrl: unsubscribeUrl(settings, token) };
}
