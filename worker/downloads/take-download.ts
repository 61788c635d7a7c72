import { newLeaseId } from "#domain/guards/tokens.ts";
import type { TakeAnswer } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { isOwnedByCaller, openLink } from "../links/open-link.ts";
import { askGate, findLease, giveLease, limitedLinkOf, refusedLease } from "../links/leases.ts";

/**
 * Takes one of a limited link's downloads, or the caller's own again. Also sets the lease's cookies.
 * @returns nulls where downloads are not counted: the link has no limit, or is the caller's own
 * @throws AppError RATE_LIMITED, DOWNLOADS_BUSY with `freeAt`, ATTEMPTS_USED_UP, DOWNLOADS_USED_UP, GATE_UNAVAILABLE, and
 *   the errors of `openLink`
 */
export async function takeDownload(context: RequestContext, downloadId: string, now: number): Promise<TakeAnswer> {
  const { services } = context;
  const [, { file }] = await Promise.all([
    context.enforceRateLimit("take"),
    openLink(context, downloadId, "take", now),
    // Asked for below, and looked up at most once.
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
