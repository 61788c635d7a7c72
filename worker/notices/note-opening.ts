import type { RequestContext } from "../context.ts";
import { findCurrentFile } from "../db/files.ts";
import { noteOpenedBy } from "../db/recipients.ts";
import { atPrimary } from "../db/replicas.ts";
import { recipientTokenOf } from "../downloads/downloader.ts";
import { isOwnedByCaller } from "../downloads/open-link.ts";
import { logError } from "../log.ts";

/** Notes behind the answer that a recipient asked for their link's page. Its owner's visit is nobody's. */
export function noteOpening(context: RequestContext, downloadId: string, now: number): void {
  const token = recipientTokenOf(context.request);
  if (token === null) return;
  const { db, waitUntil } = context.services;
  const note = async () => {
    const file = await findCurrentFile(db, downloadId);
    if (file === null || (await isOwnedByCaller(context, file))) return;
    await atPrimary(() => noteOpenedBy(db, file.id, token, now));
  };
  waitUntil(
    note().catch((error: unknown) => {
      logError("recipient.opening_not_noted", error);
    }),
  );
}
