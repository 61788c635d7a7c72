import { MAX_MISSING_LISTED } from "#domain/transfers/limits.ts";
import type { Entry } from "#domain/transfers/pages.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import { layOutZip } from "#domain/zip.ts";
import type { Database } from "#worker/db/client.ts";
import { findFileById } from "#worker/db/files.ts";
import { deleteTransferPages, markTransferReady, saveTransferPages } from "#worker/db/transfers.ts";
import { releaseFile } from "#worker/db/uploads.ts";
import { logError } from "#worker/log.ts";
import { transferObjectKey } from "#worker/storage/keys.ts";
import { deleteObjects, MAX_DELETED_PER_CALL } from "#worker/storage/objects.ts";
import { abortUploads } from "./multipart-uploads.ts";
import { NO_TRANSFER, type FinishResult, type TransferRejection } from "./transfer-results.ts";
import * as state from "./transfer-state.ts";
import type { TransferStore } from "./transfer-store.ts";

interface Dependencies {
  bucket: R2Bucket;
  db: Database;
  store: TransferStore;
  /** Also sets the alarm for the next task. */
  save(record: state.TransferRecord): void;
  /** Joins objects and wipes removed entries, as far as storage answers. */
  workOnObjects(): Promise<void>;
  hasObjectWork(): boolean;
}

/** Finishes a transfer or ends it. After a crash, the alarm repeats every step that is left. */
export class TransferFinalizer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Waits until every object is stored, then writes the list and the row to D1. */
  async finish(): Promise<FinishResult> {
    await this.#deps.workOnObjects();
    const record = this.#deps.store.find();
    if (!record) return NO_TRANSFER;
    try {
      return await this.#finish(record);
    } catch (error) {
      logError("transfer.completion_failed", error, { uploadId: record.plan.fileId });
      const attempted = state.recordAttempt(record);
      if (state.isOutOfAttempts(attempted)) await this.end(attempted, "failed", "STORAGE_UNAVAILABLE");
      else this.#deps.save(attempted);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
  }

  async #finish(record: state.TransferRecord): Promise<FinishResult> {
    const { db, store } = this.#deps;
    const { fileId } = record.plan;
    // Storage did not answer for one of these.
    if (this.#deps.hasObjectWork()) throw new Error("objects are still to be joined or wiped");
    const missing = store.index.missingIn(store.objects.overview.stored);
    if (missing.length > 0) {
      this.#deps.save(state.reopen(record, Date.now()));
      return entriesMissing(missing);
    }
    await abortUploads(this.#deps.bucket, store, "open", "joining", "dropped", "rejected");
    const entries = this.#listEntries();
    const present = entries.filter(({ removedAt }) => removedAt === null);
    const zip = await layOutZip(present);
    await saveTransferPages(db, fileId, entries);
    const now = Date.now();
    const sizeBytes = present.reduce((sum, entry) => sum + entry.sizeBytes, 0);
    const row = await markTransferReady(db, fileId, {
      etag: zip.etag.replaceAll('"', ""),
      zipSizeBytes: zip.size,
      sizeBytes,
      entries: present.length,
      objects: store.objects.count(),
      uploadedAt: now,
      expiresAt: state.expiryFrom(record, sizeBytes, now),
    });
    if (!row) {
      await this.end(record, "cancelled", "CANCELLED");
      return { ok: false, code: "UPLOAD_CLOSED" };
    }
    const finished = { sizeBytes, zipSizeBytes: zip.size, etag: zip.etag, entries: present.length };
    this.#deps.save({ ...state.settle(record, row.expiresAt, now), finished });
    return { ok: true, ...finished, expiresAt: row.expiresAt };
  }

  /** Removed entries included: numbers do not change. */
  #listEntries(): Entry[] {
    const { store } = this.#deps;
    const removed = store.entries.removed();
    const entries = [...store.entries.list()].map((announced, n): Entry => ({
      ...announced,
      object: null,
      offset: 0,
      crc32: 0,
      sha256: null,
      crcSource: "server",
      removedAt: removed.get(n) ?? null,
    }));
    for (const { object, runs, sums, partCount } of store.objects.list("stored")) {
      let offset = 0;
      for (const [at, n] of toNumbers(runs).entries()) {
        const entry = entries[n];
        const sum = sums?.[at];
        if (!entry || !sum) throw new Error(`object ${object} has no sum of entry ${n}`);
        // The browser summed the parts of a large file; the server read a pack back.
        const crcSource = partCount === 1 ? "server" : "browser";
        // The browser's hash of a large file may come after its last part.
        const sha256 = sum.sha256 ?? store.entries.senderSum(n);
        Object.assign(entry, { crc32: sum.crc32, sha256, object, offset, crcSource });
        offset += store.index.sizeOf(n);
      }
    }
    return entries;
  }

  /** If this object has no open record, releases only the row and its quota. */
  async abandon(fileId: string): Promise<void> {
    const record = this.#deps.store.find();
    if (record && !state.isSettled(record)) await this.end(record, "failed", "ABANDONED");
    else await releaseFile(this.#deps.db, fileId, "failed", "ABANDONED");
  }

  /** Saves the end first, so that the alarm repeats a clean-up that failed. */
  async end(record: state.TransferRecord, phase: "failed" | "cancelled", code: string): Promise<void> {
    const ended = state.markEnded(record, phase, code, Date.now());
    this.#deps.save(ended);
    await this.cleanUp(ended);
  }

  /** Frees the row and its quota in D1, then the storage in R2. The alarm repeats a step that failed. */
  async cleanUp(record: state.TransferRecord): Promise<void> {
    const { db, store } = this.#deps;
    const { fileId } = record.plan;
    let released = record.released ?? false;
    try {
      const status = record.phase === "cancelled" ? "cancelled" : "failed";
      released ||= await releaseFile(db, fileId, status, record.endCode ?? "FAILED");
      const row = released ? null : await findFileById(db, fileId);
      await abortUploads(this.#deps.bucket, store, "open", "joining", "dropped", "rejected");
      // A missing row may mean a wrong database (decision 023); a finished transfer keeps its objects.
      if (released || (row && row.status !== "ready")) {
        await deleteTransferPages(db, fileId);
        const keys = Array.from({ length: store.objects.count() }, (_, object) => transferObjectKey(fileId, object));
        await this.#deleteAll(keys);
      }
      this.#deps.save(state.recordCleanedUp(record));
    } catch (error) {
      logError("transfer.cleanup_failed", error, { uploadId: fileId });
      this.#deps.save({ ...state.recordAttempt(record), released });
    }
  }

  async #deleteAll(keys: string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += MAX_DELETED_PER_CALL) {
      await deleteObjects(this.#deps.bucket, keys.slice(at, at + MAX_DELETED_PER_CALL));
    }
  }
}

export function entriesMissing(missing: number[]): TransferRejection {
  return {
    ok: false,
    code: "UPLOAD_INCOMPLETE",
    localizedMessage: { group: "errors", name: "entriesMissing", values: { count: missing.length } },
    missing: missing.slice(0, MAX_MISSING_LISTED),
    missingCount: missing.length,
  };
}
