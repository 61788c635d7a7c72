import { parse } from "hono/utils/cookie";
import { reportCookie } from "#domain/guards/cookies.ts";
import { GRANT_MAX_MS } from "#domain/guards/tokens.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { findReportedSeal } from "../db/reports.ts";

/** Lets this browser open the link as it was reported, as long as its administrator's session lasts and the report is open. */
export function giveReportCookie({ setCookie }: RequestContext, downloadId: string, reportId: string): void {
  const { name, paths } = reportCookie(downloadId);
  for (const path of paths) setCookie({ name, value: reportId, path, maxAgeSeconds: GRANT_MAX_MS / SECOND_MS });
}

/**
 * A sealed link for an administrator who was shown a report's key: with the seal of the report's time, since its sender
 * may have changed the password, and without a limit, since looking takes nobody's place.
 * @returns null for anybody else. Asks D1 only if both cookies came.
 */
export async function asReported(context: RequestContext, file: FileRow): Promise<FileRow | null> {
  if (file.seal === null) return null;
  const { name } = reportCookie(file.downloadId);
  const reportId = parse(context.request.headers.get("cookie") ?? "", name)[name];
  if (reportId === undefined || !(await context.currentAdmin())) return null;
  const reported = await findReportedSeal(context.services.db, reportId, file.id);
  return reported && { ...file, ...reported, maxDownloads: null };
}
