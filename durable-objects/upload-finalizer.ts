import type { Database } from "#worker/db/client.ts";
import { findFileById } from "#worker/db/files.ts";
import { markFileReady, saveChecksum, releaseFile } from "#worker/db/uploads.ts";
import { logError } from "#worker/log.ts";
import { incomingKey, objectKey } from "#worker/storage/keys.ts";
import { deleteObjects, hashObject } from "#worker/storage/objects.ts";
import type { ChunkStore } from "./chunks.ts";
import { assembleObject, discardParts, discardUpload, type Assembly } from "./upload-objects.ts";
import { NO_UPLOAD, uploadIncomplete, type CompleteResult } from "./upload-results.ts";
import type { UploadSockets } from "./upload-sockets.ts";
import * as state from "./upload-state.ts";
import type { UploadStore } from "./upload-store.ts";

interface Dependencies {
  bucket: R2Bucket;
  db: Database;
  store: UploadStore;
  chunks: ChunkStore;
  sockets: UploadSockets;
  /** Also sets the alarm for the next task. */
  save(record: state.UploadRecord): void;
  waitUntil(work: Promise<unknown>): void;
}

/** Completes an upload or ends it. After a crash, the alarm repeats every step that is left. */
export class UploadFinalizer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Completes the upload in R2, then in D1, then in its own record. If R2 or D1 does not answer, the alarm tries again. */
  async finish(): Promise<CompleteResult> {
    const record = this.#deps.store.find();
    if (!record) return NO_UPLOAD;
    try {
      const assembly = await assembleObject(this.#deps.bucket, record, this.#deps.store.receipts());
      return await this.#finishWith(record, assembly);
    } catch (error) {
      logError("upload.completion_failed", error, { uploadId: record.plan.fileId });
      const attempted = state.recordAttempt(record);
      if (state.isOutOfAttempts(attempted)) await this.end(attempted, "failed", "STORAGE_UNAVAILABLE");
      else this.#deps.save(attempted);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
  }

  async #finishWith(record: state.UploadRecord, assembly: Assembly): Promise<CompleteResult> {
    if (assembly.kind === "mismatch") {
      await this.end(record, "failed", "OBJECT_MISMATCH");
      return { ok: false, code: "OBJECT_MISMATCH" };
    }
    if (assembly.kind !== "assembled") {
      if (assembly.kind === "invalid-parts") {
        this.#deps.store.deleteReceipts();
        if (record.plan.chunkSizeBytes !== null) this.#deps.chunks.deleteSent();
      }
      const reopened = state.reopen(record, Date.now());
      this.#deps.save(reopened);
      return uploadIncomplete(state.missingParts(reopened, new Set(this.#deps.store.partNumbers())));
    }
    const now = Date.now();
    const checksum =
      assembly.sha256 === null ? record.checksum : { sha256: assembly.sha256, source: "server" as const };
    const file = await markFileReady(this.#deps.db, record.plan.fileId, {
      etag: assembly.object.etag,
      checksum,
      uploadedAt: now,
      expiresAt: state.expiryFrom(record, now),
    });
    if (!file) {
      await this.end(record, "cancelled", "CANCELLED");
      return { ok: false, code: "UPLOAD_CLOSED" };
    }
    const ready = state.markReady(record, checksum, file.expiresAt, now);
    this.#deps.save(ready);
    this.#deps.sockets.broadcastEnd(ready.phase);
    // Deletes the incoming copy; the sweep removes leftovers.
    if (record.r2UploadId === null)
      this.#deps.waitUntil(deleteObjects(this.#deps.bucket, [incomingKey(record.plan.fileId)]));
    return { ok: true, expiresAt: file.expiresAt };
  }

  /** Chunks arrive in any order, so the file is hashed after it is complete. */
  async hash(record: state.UploadRecord): Promise<void> {
    const { fileId } = record.plan;
    try {
      const sha256 = await hashObject(this.#deps.bucket, objectKey(fileId));
      if (sha256 !== null) await saveChecksum(this.#deps.db, fileId, { sha256, source: "server" });
      this.#deps.save(state.recordHashed(record));
    } catch (error) {
      logError("upload.hash_failed", error, { uploadId: fileId });
      this.#deps.save(state.recordAttempt(record));
    }
  }

  /** If this object has no open record, releases only the row and its quota. */
  async abandon(fileId: string): Promise<void> {
    const record = this.#deps.store.find();
    if (record && !state.isSettled(record)) await this.end(record, "failed", "ABANDONED");
    else await releaseFile(this.#deps.db, fileId, "failed", "ABANDONED");
  }

  /** Saves the end first, so that the alarm repeats a clean-up that failed. */
  async end(record: state.UploadRecord, phase: "failed" | "cancelled", code: string): Promise<void> {
    const ended = state.markEnded(record, phase, code, Date.now());
    this.#deps.save(ended);
    this.#deps.sockets.broadcastEnd(ended.phase);
    await this.cleanUp(ended);
  }

  /** Frees the row and its quota in D1, then the storage in R2. The alarm repeats a step that failed. */
  async cleanUp(record: state.UploadRecord): Promise<void> {
    const { db, bucket } = this.#deps;
    const { fileId } = record.plan;
    let released = record.released ?? false;
    try {
      const status = record.phase === "cancelled" ? "cancelled" : "failed";
      released ||= await releaseFile(db, fileId, status, record.endCode ?? "FAILED");
      const row = released ? null : await findFileById(db, fileId);
      // A missing row may mean a wrong database (decision 023); a finished file keeps its object.
      if (released || (row && row.status !== "ready")) await discardUpload(bucket, record);
      else if (!row) await discardParts(bucket, record);
      this.#deps.save(state.recordCleanedUp(record));
    } catch (error) {
      logError("upload.cleanup_failed", error, { uploadId: fileId });
      this.#deps.save({ ...state.recordAttempt(record), released });
    }
  }
}
