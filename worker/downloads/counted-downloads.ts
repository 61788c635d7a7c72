import { AppError } from "#domain/errors.ts";
import { newLeaseId } from "#domain/protection/tokens.ts";
import type { TakeAnswer, OpenedReport } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { localizedError } from "../errors/translate-error.ts";
import { askGate, findLease, giveLease, limitedLinkOf, refusedLease } from "../links/leases.ts";
import { isOwnedByCaller, openLink } from "../links/open-link.ts";
import { requireStoredEntry } from "./entries.ts";

/**
 * Takes one of a limited link's downloads, or returns the caller's unfinished download. Sets the lease's cookies.
 * @returns nulls if downloads are not counted, because the link has no limit or is the caller's own
 * @throws AppError RATE_LIMITED, DOWNLOADS_BUSY with `freeAt`, ATTEMPTS_USED_UP, DOWNLOADS_USED_UP, GATE_UNAVAILABLE,
 * and the errors of `openLink`
 */
export async function takeDownload(context: RequestContext, downloadId: string, now: number): Promise<TakeAnswer> {
  const { services } = context;
  const [, { file }] = await Promise.all([
    context.enforceRateLimit("take"),
    openLink(context, downloadId, "take", now),
    // Runs in parallel; `isOwnedByCaller` below then needs no further query.
    context.currentUser(),
  ]);
  if (file.maxDownloads === null || (await isOwnedByCaller(context, file))) {
    return { lease: null, left: null, until: null };
  }
  const { id } = (await findLease(context, downloadId)) ?? { id: newLeaseId() };
  const link = limitedLinkOf(file);
  const answer = await askGate(services, downloadId, (gate) => gate.take(id, link));
  if (!answer.ok) throw refusedLease(answer, link, now);
  const lease = await giveLease(context, downloadId, answer.lease);
  return { lease, left: answer.left, until: new Date(answer.until).toISOString() };
}

/**
 * Counts a file of an encrypted link that a browser has opened to its end. Does nothing if downloads are not counted.
 * @throws AppError NOT_SEALED, BAD_REQUEST for an unknown entry or a transfer without `entry`, FILE_EXPIRED for a
 * removed entry, UPLOAD_UNFINISHED, GATE_UNAVAILABLE, and the errors of `openLink`
 */
export async function noteOpened(
  context: RequestContext,
  downloadId: string,
  { entry: n }: OpenedReport,
  now: number,
): Promise<void> {
  const { file, lease } = await openLink(context, downloadId, "bytes", now);
  if (file.seal === null) throw new AppError("NOT_SEALED");
  if (n !== undefined) await requireStoredEntry(context.services, file, n);
  else if (file.entryCount !== null) throw localizedError("BAD_REQUEST", "entryMissing", {}, { field: "entry" });
  if (lease === null) return;
  const opened = await askGate(context.services, downloadId, (gate) => gate.opened(lease.id));
  if (!opened.ok) throw new AppError("LEASE_NEEDED");
}
