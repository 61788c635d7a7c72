import { AppError } from "#domain/errors.ts";
import { requestLocale } from "#domain/locale.ts";
import type { ReportRequest } from "#domain/wire.ts";
import { transferSessionOf } from "../callers/sessions.ts";
import { ipOf, type RequestContext } from "../context.ts";
import { isWithoutLink, type FileRow } from "../db/files.ts";
import { insertReport } from "../db/reports.ts";
import { localizedError } from "../errors/translate-error.ts";
import { openLink } from "../links/open-link.ts";
import { sealReportedKey } from "../links/reported-link.ts";
import { alertOfChildAbuse, mailReceipt } from "../moderation/reporters.ts";
import type { Services } from "../services.ts";

/** @throws AppError RATE_LIMITED, NOT_SEALED for a plain link, BAD_REQUEST for an unknown entry, and as `openLink` */
export async function reportFile(
  context: RequestContext,
  downloadId: string,
  report: ReportRequest,
  now: number,
): Promise<void> {
  const { file } = await openLink(context, downloadId, "report", now);
  if (report.sharedKey !== undefined && file.seal === null) throw new AppError("NOT_SEALED");
  await context.enforceRateLimit("report");
  if (report.entry !== undefined) await requireEntry(context.services, file, report.entry);
  await keepReport(context, file, report, now);
}

/** Keeps a report, and mails its receipt. @param now epoch milliseconds */
export async function keepReport(
  { services, request }: RequestContext,
  file: Pick<FileRow, "id" | "userId" | "downloadId" | "seal" | "accessHash" | "fileRequestId" | "forwardedAt">,
  { sharedKey, ...report }: ReportRequest,
  now: number,
): Promise<void> {
  const id = crypto.randomUUID();
  const sealed = sharedKey === undefined ? null : await sealReportedKey(services, id, file, sharedKey);
  const ip = ipOf(request);
  const locale = requestLocale(request.headers);
  // Who reports a received file is its owner, and the sender has no account.
  const userId = isWithoutLink(file) ? null : file.userId;
  const row = { id, fileId: file.id, userId, locale, ipAddress: ip, sharedKey: sealed, createdAt: now };
  const hasClosed = await insertReport(services.db, { ...report, ...row });
  await mailReceipt(services, { ...report, locale }, file, ip);
  if (hasClosed) await alertOfChildAbuse(services);
}

async function requireEntry(services: Services, file: FileRow, n: number): Promise<void> {
  const { id, status, entryCount } = file;
  const isKnown =
    status === "ready" && entryCount !== null
      ? (await transferSessionOf(services, file).locate(id, [n])).length > 0
      : // An uploading transfer has announced how many entries it will have.
        n < (entryCount ?? 0);
  if (!isKnown) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
}
