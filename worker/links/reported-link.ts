import { parse } from "hono/utils/cookie";
import { openSecret, sealSecret } from "#domain/data-keys.ts";
import { reportCookie, GRANT_MAX_MS } from "#domain/protection/tokens.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { SharedKey } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import type { FileRow } from "../db/files.ts";
import { findOpenSharedKey } from "../db/reports.ts";
import type { Services } from "../services.ts";

/**
 * The key that a reporter shares, and the seal that it opened at the time of the report, because the sender may change
 * the password later.
 */
interface ReportedKey extends SharedKey {
  seal: string | null;
  accessHash: string | null;
}

/** Encrypts a reporter's key for the database. @param reportId the only report for which the key can be decrypted */
export async function sealReportedKey(
  { dataKeys }: Pick<Services, "dataKeys">,
  reportId: string,
  { seal, accessHash }: Pick<FileRow, "seal" | "accessHash">,
  sharedKey: SharedKey,
): Promise<string> {
  const key: ReportedKey = { ...sharedKey, seal, accessHash };
  return sealSecret(await dataKeys(), reportOwner(reportId), JSON.stringify(key));
}

/**
 * @param stored the encrypted key; null if no key was shared
 * @returns null if no key was shared, or no data key decrypts it
 */
export async function openReportedKey(
  { dataKeys }: Services,
  reportId: string,
  stored: string | null,
): Promise<ReportedKey | null> {
  if (stored === null) return null;
  // The key was stored by a release that did not encrypt such keys, and the cron has not sealed it yet.
  const isClear = stored.startsWith("{");
  const json = isClear ? stored : await openSecret(await dataKeys(), reportOwner(reportId), stored);
  return json === null ? null : (JSON.parse(json) as ReportedKey);
}

/** The name to which a report's encrypted key is bound. */
export function reportOwner(id: string): string {
  return `report ${id}`;
}

/** Lets this browser open the link as it was reported, during the admin session and while the report is open. */
export function giveReportCookie({ setCookie }: RequestContext, downloadId: string, reportId: string): void {
  const { name, paths } = reportCookie(downloadId);
  for (const path of paths) setCookie({ name, value: reportId, path, maxAgeSeconds: GRANT_MAX_MS / SECOND_MS });
}

/**
 * A sealed link's row for an administrator who was shown a report's key: with the seal at the time of the report,
 * because the sender may have changed the password, and without a download limit, so that the administrator uses up no
 * download.
 * @returns null for anybody else. Queries D1 only if the request has the report's cookie and an admin session's
 */
export async function asReported(context: RequestContext, file: FileRow): Promise<FileRow | null> {
  if (file.seal === null) return null;
  const { name } = reportCookie(file.downloadId);
  const reportId = parse(context.request.headers.get("cookie") ?? "", name)[name];
  if (reportId === undefined || !(await context.currentAdmin())) return null;
  const { services } = context;
  const reported = await openReportedKey(services, reportId, await findOpenSharedKey(services.db, reportId, file.id));
  return reported && { ...file, seal: reported.seal, accessHash: reported.accessHash, maxDownloads: null };
}
