import type { ReportRequest } from "#domain/wire.ts";
import { addressOf, type RequestContext } from "../context.ts";
import { insertReport } from "../db/reports.ts";
import { getAvailableFile } from "./download-info.ts";

/** @throws AppError FILE_NOT_FOUND, FILE_EXPIRED, RATE_LIMITED */
export async function reportFile(
  context: RequestContext,
  downloadId: string,
  report: ReportRequest,
  now: number,
): Promise<void> {
  const file = await getAvailableFile(context, downloadId, now);
  await context.enforceRateLimit("report");
  await insertReport(context.services.db, file.id, report, addressOf(context.request), now);
}
