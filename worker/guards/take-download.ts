import { AppError } from "#domain/errors.ts";
import { newLeaseId } from "#domain/guards/tokens.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";
import type { TakeAnswer } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { isOwnedByCaller, openLink } from "../downloads/open-link.ts";
import { localizedError } from "../errors/translate-error.ts";
import { usedUpError } from "../errors/link-errors.ts";
import { askGate, findLease, giveLease } from "./leases.ts";

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
  const { id: fileId, size: sizeBytes, maxDownloads: limit, downloadsUsed: used, expiresAt } = file;
  if (limit === null || (await isOwnedByCaller(context, file))) return { lease: null, left: null, until: null };
  const lease = (await findLease(context, downloadId)) ?? newLeaseId();
  const link = { fileId, sizeBytes, limit, used, expiresAt: expiresAt?.getTime() ?? null };
  const answer = await askGate(services, downloadId, (gate) => gate.take(lease, link));
  if (answer.ok) {
    const token = await giveLease(context, downloadId, lease);
    return { lease: token, left: answer.left, until: new Date(answer.until).toISOString() };
  }
  if (answer.code === "DOWNLOADS_BUSY") throw busyError(answer.freeAt, now);
  throw answer.code === "DOWNLOADS_USED_UP" ? usedUpError(limit) : new AppError("ATTEMPTS_USED_UP");
}

function busyError(freeAt: number, now: number): AppError {
  const waitMs = Math.max(SECOND_MS, freeAt - now);
  return localizedError(
    "DOWNLOADS_BUSY",
    "downloadsBusy",
    { count: Math.ceil(waitMs / MINUTE_MS) },
    { freeAt: new Date(freeAt).toISOString(), retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) },
  );
}
