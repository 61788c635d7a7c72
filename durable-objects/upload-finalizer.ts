import type { Database } from "#worker/db/client.ts";
import { findFileById } from "#worker/db/files.ts";
import { markFileReady, saveChecksum, releaseFile } from "#worker/db/uploads.ts";
import { logError } from "#worker/log.ts";
import { incomingKey } from "#worker/storage/keys.ts";
import { deleteObjects, hashObject } from "#worker/storage/objects.ts";
import type { ChunkStore } from "./chunks.ts";
import { assembleObject, discardParts, discardUpload, type Assembly } from "./upload-objects.ts";
import { incomplete, NO_UPLOAD, type Completed } from "./upload-results.ts";
import type { UploadSockets } from "./upload-sockets.ts";
import * as state from "./upload-state.ts";
import type { UploadStore } from "./upload-store.ts";

interface Dependencies {
  bucket: R2Bucket;
  db: Database;
  store: UploadStore;
  chunks: ChunkStore;
  sockets: UploadSockets;
  /** Keeps the record and sets the alarm for its next duty. */
  save(record: state.UploadRecord): void;
  waitUntil(work: Promise<unknown>): void;
}

/** How an upload ends: storage first, then the database, then its own record, so that every step may be repeated. */
export class UploadFinalizer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Makes a file of what arrived, as far as storage and the database answer. */
  async finish(): Promise<Completed> {
    const record = this.#deps.store.find();
    if (!record) return NO_UPLOAD;
    try {
      return await this.#settle(record, await assembleObject(this.#deps.bucket, record, this.#deps.store.receipts()));
    } catch (error) {
      logError("upload.completion_failed", error, { uploadId: record.plan.fileId });
      const noted = state.recordAttempt(record);
      if (state.isHopeless(noted)) await this.end(noted, "failed", "STORAGE_UNAVAILABLE");
      else this.#deps.save(noted);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
  }

  async #settle(record: state.UploadRecord, assembly: Assembly): Promise<Completed> {
    if (assembly.kind === "lost") {
      await this.end(record, "failed", "OBJECT_MISMATCH");
      return { ok: false, code: "OBJECT_MISMATCH" };
    }
    if (assembly.kind !== "whole") {
      if (assembly.kind === "parts-unknown") {
        this.#deps.store.dropReceipts();
        if (record.plan.chunkSizeBytes !== null) this.#deps.chunks.forgetSent();
      }
      const reopened = state.reopen(record, Date.now());
      this.#deps.save(reopened);
      return incomplete(state.missingParts(reopened, new Set(this.#deps.store.partNumbers())));
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
    const settled = state.settleReady(record, checksum, file.expiresAt, now);
    this.#deps.save(settled);
    this.#deps.sockets.announceEnd(settled);
    // The sweep empties what this misses: the copy under its own key is what the link serves.
    if (record.r2UploadId === null)
      this.#deps.waitUntil(deleteObjects(this.#deps.bucket, [incomingKey(record.plan.fileId)]));
    return { ok: true, expiresAt: file.expiresAt };
  }

  /** A file whose chunks came in any order is hashed once it is whole: nobody waits for it. */
  async hash(record: state.UploadRecord): Promise<void> {
    const { fileId } = record.plan;
    try {
      const sha256 = await hashObject(this.#deps.bucket, fileId);
      if (sha256 !== null) await saveChecksum(this.#deps.db, fileId, { sha256, source: "server" });
      this.#deps.save(state.recordHashed(record));
    } catch (error) {
      logError("upload.hash_failed", error, { uploadId: fileId });
      this.#deps.save(state.recordAttempt(record));
    }
  }

  /** Ends the upload without a file, and gives back what it held. */
  async end(record: state.UploadRecord, phase: "failed" | "cancelled", code: string): Promise<void> {
    const ended = state.settleEnded(record, phase, code, Date.now());
    this.#deps.save(ended);
    this.#deps.sockets.announceEnd(ended);
    await this.cleanUp(ended);
  }

  /** Frees storage and quota. What fails is left to the alarm. */
  async cleanUp(record: state.UploadRecord): Promise<void> {
    const { db, bucket } = this.#deps;
    const { fileId } = record.plan;
    let released = record.released ?? false;
    try {
      const status = record.phase === "cancelled" ? "cancelled" : "failed";
      released ||= await releaseFile(db, fileId, status, record.endCode ?? "FAILED");
      const row = released ? null : await findFileById(db, fileId);
      // Objects go only where a row says that the upload has ended: an empty database may be the wrong one. A file that
      // a link leads to keeps its object, whatever went wrong here.
      if (released || (row && row.status !== "ready")) await discardUpload(bucket, record);
      else if (!row) await discardParts(bucket, record);
      this.#deps.save(state.recordCleanedUp(record));
    } catch (error) {
      logError("upload.cleanup_failed", error, { uploadId: fileId });
      this.#deps.save({ ...state.recordAttempt(record), released });
    }
  }
}
