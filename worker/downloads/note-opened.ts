import { AppError } from "#domain/errors.ts";
import type { OpenedRequest } from "#domain/wire.ts";
import type { RequestContext } from "../context.ts";
import { requireStoredEntry } from "./entries.ts";
import { openLink } from "../links/open-link.ts";
import { localizedError } from "../errors/translate-error.ts";
import { askGate } from "../links/leases.ts";

/**
 * Counts a file of an encrypted link that a browser has opened to its end. Where downloads are not counted, nothing is.
 * @throws AppError NOT_SEALED, BAD_REQUEST for an unknown entry or a transfer without one, FILE_EXPIRED for a removed
 *   one, UPLOAD_UNFINISHED, GATE_UNAVAILABLE, and the errors of `openLink`
 */
export async function noteOpened(
  context: RequestContext,
  downloadId: string,
  { entry: n }: OpenedRequest,
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
