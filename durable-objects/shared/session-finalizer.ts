import type { Database } from "#worker/db/client.ts";
import { findFileById } from "#worker/db/files.ts";
import { markReady, releaseFile, type Finished } from "#worker/db/uploads.ts";
import { logError } from "#worker/log.ts";
import {
  isOutOfTime,
  isSettled,
  markEnded,
  recordAttempt,
  recordCleanedUp,
  reopen,
  type Lifecycle,
} from "./lifecycle.ts";

export interface SessionRecord extends Lifecycle {
  plan: { fileId: string };
}

export interface FinalizerDependencies<Record extends SessionRecord> {
  bucket: R2Bucket;
  db: Database;
  store: { find(): Record | null };
  /** Saves the record, and sets the alarm for the next task. */
  save(record: Record): void;
}

/** `hasEvents`: this call has finished the upload, and webhooks are to be told. */
type ReadyResult =
  | { ok: true; expiresAt: number | null; hasEvents?: boolean }
  | { ok: false; code: "UPLOAD_CLOSED" | "MANIFEST_MISSING" };

/** Completes an upload of either kind, or ends it. After a crash, the alarm repeats every step that is left. */
export abstract class SessionFinalizer<Record extends SessionRecord, Result> {
  /** Begins the names of log events. */
  protected abstract readonly kind: "upload" | "transfer";
  readonly #deps: FinalizerDependencies<Record>;

  constructor(deps: FinalizerDependencies<Record>) {
    this.#deps = deps;
  }

  /** Completes the upload in R2, then in D1, then in its own record. If R2 or D1 does not answer, the alarm tries again. */
  abstract finish(): Promise<Result>;
  /** Aborts multipart uploads that were not joined. Idempotent. */
  protected abstract abortParts(record: Record): Promise<void>;
  /** Deletes everything that is stored. Idempotent. */
  protected abstract deleteStored(record: Record): Promise<void>;

  /** Makes the row ready. An upload whose row has ended ends, too; without its last list of files it goes on. */
  protected async markReady(record: Record, finished: Finished): Promise<ReadyResult> {
    const row = await markReady(this.#deps.db, record.plan.fileId, finished);
    if (row.kind === "ready") return { ok: true, expiresAt: row.expiresAt, ...(row.hasEvents && { hasEvents: true }) };
    if (row.kind === "ended") {
      await this.end(record, "cancelled", "CANCELLED");
      return { ok: false, code: "UPLOAD_CLOSED" };
    }
    this.#deps.save(reopen(record, finished.uploadedAt));
    return { ok: false, code: "MANIFEST_MISSING" };
  }

  /** Leaves a completion that failed to the alarm, or gives it up. */
  protected async retryOrGiveUp(record: Record, error: unknown): Promise<{ ok: false; code: "STORAGE_UNAVAILABLE" }> {
    logError(`${this.kind}.completion_failed`, error, { uploadId: record.plan.fileId });
    const attempted = recordAttempt(record);
    if (isOutOfTime(attempted, Date.now())) await this.end(attempted, "failed", "STORAGE_UNAVAILABLE");
    else this.#deps.save(attempted);
    return { ok: false, code: "STORAGE_UNAVAILABLE" };
  }

  /** If this object has no open record, releases only the row and its quota. */
  async abandon(fileId: string): Promise<void> {
    const record = this.#deps.store.find();
    if (record && !isSettled(record)) await this.end(record, "failed", "ABANDONED");
    else await releaseFile(this.#deps.db, fileId, "failed", "ABANDONED");
  }

  /** Saves the end first, so that the alarm repeats a clean-up that failed. */
  async end(record: Record, phase: "failed" | "cancelled", code: string): Promise<void> {
    const ended = markEnded(record, phase, code, Date.now());
    this.#deps.save(ended);
    await this.cleanUp(ended);
  }

  /** Frees the row and its quota in D1, then the storage in R2. The alarm repeats a step that failed. */
  async cleanUp(record: Record): Promise<void> {
    const { db, save } = this.#deps;
    const { fileId } = record.plan;
    let released = record.released ?? false;
    try {
      const status = record.phase === "cancelled" ? "cancelled" : "failed";
      released ||= await releaseFile(db, fileId, status, record.endCode ?? "FAILED");
      const row = released ? null : await findFileById(db, fileId);
      await this.abortParts(record);
      // A missing row may mean a wrong database (decision 023); a finished upload keeps its objects.
      if (released || (row && row.status !== "ready")) await this.deleteStored(record);
      save(recordCleanedUp(record));
    } catch (error) {
      logError(`${this.kind}.cleanup_failed`, error, { uploadId: fileId });
      save({ ...recordAttempt(record), released });
    }
  }
}
