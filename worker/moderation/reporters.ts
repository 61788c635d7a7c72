import { AppError } from "#domain/errors.ts";
import type { Locale } from "#domain/locale.ts";
import type { ReportReason } from "#domain/wire.ts";
import type { FileRow } from "../db/files.ts";
import type { SettledReport } from "../db/reports.ts";
import { saveStatement } from "../db/statements.ts";
import { enforceRateLimit } from "../limits/enforce-rate-limit.ts";
import { childAbuseReportedMessage } from "../mail/messages/operations.tsx";
import { reportDecidedMessage, reportReceivedMessage } from "../mail/messages/moderation.tsx";
import { notify } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { shareUrl } from "../urls.ts";
import { newStatement } from "./statements.ts";

/**
 * Mails the receipt of a report. Nobody has proved the address of a report, so an address gets few such mails.
 * @param ip the reporter's IP address
 */
export async function mailReceipt(
  services: Services,
  { email, locale, reason }: { email: string; locale: Locale; reason: ReportReason },
  { downloadId }: Pick<FileRow, "downloadId">,
  ip: string,
): Promise<void> {
  if (email === "") return;
  try {
    await enforceRateLimit(services, "reportReceipt", { ip, account: email.toLowerCase() });
  } catch (error) {
    if (error instanceof AppError && error.code === "RATE_LIMITED") return;
    throw error;
  }
  const link = shareUrl(services.settings, downloadId);
  await notify(services.outbox, reportReceivedMessage({ email, locale }, link, reason));
}

/** Tells the administrator that a link was closed because somebody reported child abuse. */
export async function alertOfChildAbuse({ outbox, settings }: Services): Promise<void> {
  await notify(outbox, childAbuseReportedMessage(settings.contactEmail, settings.origin));
}

/**
 * Mails the people who reported a file what became of it, with a link to object if nothing was done.
 * @param file null once its row is deleted: without the link, nobody is mailed
 * @param now epoch milliseconds
 */
export async function tellReporters(
  services: Services,
  reports: readonly SettledReport[],
  file: Pick<FileRow, "id" | "userId" | "downloadId"> | null,
  { isTakenDown, reason }: { isTakenDown: boolean; reason: string },
  now: number,
): Promise<void> {
  if (!file) return;
  const { db, outbox, settings } = services;
  const link = shareUrl(settings, file.downloadId);
  for (const { id: reportId, email, locale } of reports.filter((report) => report.email !== "")) {
    const decision = isTakenDown ? "taken-down" : "dismissed";
    const about = {
      decision,
      reader: "reporter",
      fileId: file.id,
      userId: file.userId,
      reportId,
      about: link,
    } as const;
    const { row, objectionUrl } = await newStatement(services, { ...about, reason }, now);
    const mail = outbox.prepare(reportDecidedMessage({ email, locale }, link, { isTakenDown, objectionUrl }));
    await saveStatement(db, row, mail);
    mail.send();
  }
}
