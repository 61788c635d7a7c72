import { and, eq, sql, type SQL } from "drizzle-orm";
import { ENTRIES_PER_PAGE, encodePage, type Entry } from "#domain/transfers/pages.ts";
import type { Database } from "./client.ts";
import { isUploading } from "./files.ts";
import { giveBackRest } from "./growth.ts";
import { needsNoManifest, READY_COLUMNS, readyOutcome, type ReadyOutcome } from "./manifests.ts";
import { arrivedNotice, receiptNotice, receivedNotice } from "./notice-events.ts";
import { retryIdempotent } from "./retries.ts";
import { files, transferPages } from "./schema.ts";
import { logUploadEvent } from "./upload-audit.ts";
import { expiryWithoutForeverPlan, ownerIsNotDeleted } from "./uploads.ts";
import { eventInsert, isFile } from "./webhook-events.ts";

/** A batch of statements holds some 300 KB. */
const PAGES_PER_BATCH = 20;

/** Writes the list of a transfer that is still uploading. Idempotent. @param entries all, in the order of their numbers */
export async function saveTransferPages(db: Database, fileId: string, entries: Entry[]): Promise<void> {
  const pages = Array.from({ length: Math.ceil(entries.length / ENTRIES_PER_PAGE) }, (_, page) => page);
  const batches = Array.from({ length: Math.ceil(pages.length / PAGES_PER_BATCH) }, async (_, index) => {
    const [first, ...others] = pages.slice(index * PAGES_PER_BATCH, (index + 1) * PAGES_PER_BATCH).map((page) => {
      const encoded = encodePage(entries.slice(page * ENTRIES_PER_PAGE, (page + 1) * ENTRIES_PER_PAGE));
      return db
        .insert(transferPages)
        .select(
          sql`select ${files.id}, ${page}, ${encoded} from ${files} where ${files.id} = ${fileId} and ${isUploading}`,
        )
        .onConflictDoUpdate({
          target: [transferPages.fileId, transferPages.page],
          set: { entries: sql`excluded.entries` },
        });
    });
    if (first) await retryIdempotent(() => db.batch([first, ...others]));
  });
  await Promise.all(batches);
}

/** Idempotent. */
export async function deleteTransferPages(db: Database, fileId: string): Promise<void> {
  await retryIdempotent(() => db.delete(transferPages).where(eq(transferPages.fileId, fileId)));
}

export interface FinishedTransferRow {
  /** Of the ZIP, strong and unquoted. */
  etag: string;
  zipSizeBytes: number;
  /** Of all entries that are there. */
  sizeBytes: number;
  entries: number;
  objects: number;
  /** Epoch milliseconds. */
  uploadedAt: number;
  /** Epoch milliseconds; null for never. */
  expiresAt: number | null;
}

/**
 * Gives bytes that were announced and never sent back to the month. Idempotent.
 * @returns "ended" also when its owner's account is being deleted
 */
export async function markTransferReady(
  db: Database,
  id: string,
  finished: FinishedTransferRow,
): Promise<ReadyOutcome> {
  const { uploadedAt, sizeBytes, expiresAt } = finished;
  const isOwn = and(eq(files.id, id), isUploading, eq(files.adminDeleted, false), ownerIsNotDeleted, needsNoManifest);
  const [, , , rows, , events] = await retryIdempotent(() =>
    db.batch([
      ...giveBackRest(db, id, sizeBytes, isOwn),
      db
        .update(files)
        .set({
          status: "ready",
          senderNetwork: null,
          etag: finished.etag,
          size: sizeBytes,
          zipSize: finished.zipSizeBytes,
          zipChangedAt: new Date(uploadedAt),
          entryCount: finished.entries,
          objectCount: finished.objects,
          uploadedAt: new Date(uploadedAt),
          expiresAt: sql`case when ${files.endReason} = 'downloads' then ${uploadedAt} else ${
            expiresAt ?? expiryWithoutForeverPlan(uploadedAt)
          } end`,
        })
        .where(isOwn),
      db.select(READY_COLUMNS).from(files).where(eq(files.id, id)),
      logUploadEvent(
        db,
        { fileId: id, status: "success", code: "COMPLETED", at: uploadedAt },
        sql`${files.status} = 'ready'`,
      ),
      eventInsert(
        db,
        "transfer.uploaded",
        isFile(id, sql`${files.status} = 'ready' and ${files.requestId} is null`),
        uploadedAt,
      ),
      eventInsert(
        db,
        "request.received",
        isFile(id, sql`${files.status} = 'ready' and ${files.requestId} is not null`),
        uploadedAt,
      ),
      arrivedNotice(db, id, uploadedAt),
      receivedNotice(db, id, uploadedAt),
      receiptNotice(db, id, uploadedAt),
    ]),
  );
  return readyOutcome(rows[0], events.meta.changes);
}

/**
 * When a ZIP changes. In whole seconds, as HTTP dates are (RFC 9110), so that two archives never share one.
 * @param now epoch milliseconds
 */
export function nextZipDate(now: number): SQL {
  return sql`max(${now}, (${files.zipChangedAt} / 1000 + 1) * 1000)`;
}
