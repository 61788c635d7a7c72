import { AppError } from "#domain/errors.ts";
import { decodePlaces } from "#domain/transfers/pages.ts";
import type { ReportRequest } from "#domain/wire.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { findFileWithPages } from "../db/entry-wipes.ts";
import type { FileRow } from "../db/files.ts";
import { insertReport } from "../db/reports.ts";
import { localizedError } from "../errors/translate-error.ts";
import type { Services } from "../services.ts";
import { openLink } from "./open-link.ts";

/** @throws AppError RATE_LIMITED, NOT_SEALED for a plain link's key, BAD_REQUEST for an unknown entry, and the errors of `openLink` */
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
  await insertReport(context.services.db, file, report, addressOf(context.request), now);
}

async function requireEntry({ db }: Services, { id, status, entryCount }: FileRow, n: number): Promise<void> {
  const list = status === "ready" ? await findFileWithPages(db, id) : null;
  // A transfer that uploads has announced how many entries it will have.
  const count = list ? list.pages.flatMap(decodePlaces).length : (entryCount ?? 0);
  if (n >= count) throw localizedError("BAD_REQUEST", "noSuchEntry", { n });
}
