import { DurableObject } from "cloudflare:workers";
import { blockable } from "#domain/moderation/block-list.ts";
import type { RiskyKind } from "#domain/moderation/risky-kinds.ts";
import type { LinkCheck } from "#domain/moderation/link-check.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/units.ts";
import type { PictureInfo, PutManifest } from "#domain/wire.ts";
import { endBlockedLink, findBlocked } from "#worker/db/blocked-sums.ts";
import { openDatabase, type Database } from "#worker/db/client.ts";
import { findFileById, type OwnerKey } from "#worker/db/files.ts";
import { markReady, releaseFile, type Finished } from "#worker/db/uploads.ts";
import { countPictureObjects } from "#worker/db/pictures.ts";
import { logError } from "#worker/log.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { pictureKeysOf } from "#worker/storage/keys.ts";
import { deleteManyObjects } from "#worker/storage/objects.ts";
import type { CancelResult, UploadRejection } from "../upload/results.ts";
import {
  isSettled,
  isOutOfTime,
  markEnded,
  recordAttempt,
  recordCleanedUp,
  reopen,
  type Lifecycle,
} from "./lifecycle.ts";
import { ManifestStore } from "./manifest-store.ts";
import { Pictures, type FoundPicture, type PictureForm, type TakenPictures } from "./pictures.ts";
import { echoClose, readAdmission, type SessionSockets, type SocketAdmission } from "./session-sockets.ts";

const CRON_RECHECK_MS = HOUR_MS;

/** How long after a change of lists and pictures the alarm does what the change has left to do. */
export const SETTLE_AFTER_MS = MINUTE_MS;

/** The alarm's tasks that both kinds of sessions have. */
type SharedTask = "complete" | "clean-up" | "abandon" | "delete";

/**
 * The common part of the sessions of a single file and of a transfer. The two differ in their results and in the
 * messages of their senders.
 */
export abstract class Session<
  Record extends SessionRecord,
  Result extends { ok: true } | Pick<UploadRejection, "ok" | "code">,
  Sent,
  OwnTask extends string,
> extends DurableObject<Env> {
  protected abstract readonly store: {
    find(): Record | null;
    save(record: Record): void;
    /**
     * Deletes what the ended upload no longer needs. The alarm calls this method an hour after the end of the upload.
     */
    endUpload(): Promise<void>;
    deleteAll(): Promise<void>;
  };
  protected readonly manifest = new ManifestStore(this.ctx.storage, openDatabase(this.env.DB));
  protected abstract readonly sockets: Pick<
    SessionSockets<unknown, Sent>,
    "countNew" | "countClosed" | "broadcastEnd" | "readMessage" | "announcePictures"
  >;
  protected abstract readonly finalizer: SessionFinalizer<Record, Result>;
  /** Where the pictures of the link's files are stored. */
  protected readonly pictures = new Pictures(this.ctx.storage, openBucket(this.env.BUCKET), openDatabase(this.env.DB));
  #completion: Promise<Result> | null = null;

  /** @returns the client's end */
  protected abstract acceptSocket(admission: SocketAdmission, record: Record): WebSocket;
  protected abstract receiveMessage(socket: WebSocket, message: Sent, record: Record): void;
  /** @param now epoch milliseconds @returns the next task of the alarm, with its time in epoch milliseconds */
  protected abstract nextTask(record: Record, now: number): { task: SharedTask | OwnTask; at: number };
  /** Whether the link has this entry, and it was not removed. A single file is entry 0. */
  protected abstract hasEntry(n: number): boolean;
  /** Does a task of the alarm that only this kind of session has. */
  protected abstract work(record: Record, task: OwnTask): Promise<void>;

  /** Completes the upload. Parallel calls share one completion. */
  protected completeOnce(): Promise<Result> {
    this.#completion ??= this.finalizer.finish().finally(() => {
      this.#completion = null;
    });
    return this.#completion;
  }

  override async alarm(): Promise<void> {
    await this.settlePictures();
    const record = this.store.find();
    if (!record) return;
    const { task, at } = this.nextTask(record, Date.now());
    // Remaining work may be done at any time. Only "abandon" and "delete" have to wait for their time.
    if (task === "complete") await this.completeOnce();
    else if (task === "clean-up") await this.finalizer.cleanUp(record);
    else if (task !== "abandon" && task !== "delete") await this.work(record, task);
    else if (at > Date.now()) this.save(record);
    else if (task === "abandon") await this.finalizer.abandon(record.plan.fileId);
    else await this.store.endUpload();
  }

  /** Cancels the upload. Waits for a completion that has begun: if it succeeds, the upload is not cancelled. */
  async cancel(): Promise<CancelResult> {
    const record = this.store.find();
    if (!record) return { ok: false, code: "NO_UPLOAD" };
    if (record.phase === "completing") {
      const result = await this.completeOnce();
      if (result.ok) return { ok: false, code: "UPLOAD_FINISHED" };
      if (result.code === "STORAGE_UNAVAILABLE") return { ok: false, code: result.code };
      return this.cancel();
    }
    if (record.phase === "ready") return { ok: false, code: "UPLOAD_FINISHED" };
    if (!isSettled(record)) await this.finalizer.end(record, "cancelled", "CANCELLED");
    return { ok: true };
  }

  /**
   * Does the alarm's work if the alarm was missed. The cron calls this method.
   * @param fileId of the row to release if this object has no record of the upload
   * @returns when to check again, epoch milliseconds; null once the upload has ended
   */
  async endIfAbandoned(fileId: string): Promise<number | null> {
    await this.alarm();
    const record = this.store.find();
    if (record && !isSettled(record))
      return Math.max(this.nextTask(record, Date.now()).at, Date.now() + CRON_RECHECK_MS);
    await this.finalizer.abandon(fileId);
    return null;
  }

  /**
   * Stores where the pictures of a form are, while the link uploads, and until the session is deleted an hour after the
   * link is ready. Idempotent. @returns what became of the pictures; else delete their object
   */
  async takePictures(form: PictureForm): Promise<{ ok: true; taken: TakenPictures } | UploadRejection> {
    const record = this.store.find();
    if (!record) return { ok: false, code: "NO_UPLOAD" };
    if (record.phase === "failed" || record.phase === "cancelled") return { ok: false, code: "UPLOAD_CLOSED" };
    const taken = this.pictures.take(form, (n) => this.hasEntry(n));
    this.sockets.announcePictures(taken.changed);
    await this.settlePictures();
    return { ok: true, taken };
  }

  /** Where a picture is stored. @param n entry number; 0 for a single file @returns null if there is none */
  findPicture(n: number, kind: PictureKind): FoundPicture | null {
    return this.pictures.find(n, kind);
  }

  /** @param n entry number; 0 for a single file @returns null for an entry without a picture */
  describePicture(n: number): PictureInfo | null {
    return this.pictures.list([n])[0]?.[1] ?? null;
  }

  /** The number of entries with a picture. */
  countPictures(): number {
    return this.pictures.count;
  }

  /** Does what pictures have left to do. If D1 or R2 does not answer, the alarm does it. */
  protected async settlePictures(): Promise<void> {
    try {
      await this.pictures.settle();
    } catch (error) {
      logError("pictures.not_settled", error);
      await this.ctx.storage.setAlarm(Date.now() + SETTLE_AFTER_MS);
    }
  }

  /** The encrypted list of files of a sealed link. @returns null for a plain link, and once the bytes are deleted */
  readManifest(fileId: string) {
    return this.manifest.read(fileId);
  }

  /**
   * Replaces the encrypted list, as `ManifestStore.put`.
   * @returns null if D1 did not answer, so that the caller may ask again
   */
  async putManifest(fileId: string, owner: OwnerKey, manifest: PutManifest) {
    try {
      return await this.manifest.put(fileId, owner, manifest);
    } catch (error) {
      logError("manifest.put_failed", error, { uploadId: fileId });
      return null;
    }
  }

  /** Moves an encrypted list that still stands in D1 into this object. Idempotent. */
  moveManifest(fileId: string): Promise<void> {
    return this.manifest.move(fileId);
  }

  /** Deletes everything that this object stores. Call it once the link's bytes are deleted. Idempotent. */
  async forget(): Promise<void> {
    await this.store.deleteAll();
  }

  /** Opens a socket. The Worker has set the socket's role (`socketRequest`). */
  override async fetch(request: Request): Promise<Response> {
    const admission = readAdmission(request);
    const isAllowed = this.store.find() !== null && (await this.sockets.countNew(admission));
    const record = this.store.find();
    if (!record) return new Response(null, { status: 404 });
    if (!isAllowed) return new Response(null, { status: 429 });
    return new Response(null, { status: 101, webSocket: this.acceptSocket(admission, record) });
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = this.sockets.readMessage(socket, data, Date.now());
    const record = message && this.store.find();
    if (message && record && !isSettled(record)) this.receiveMessage(socket, message, record);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    echoClose(socket, code, reason);
    this.sockets.countClosed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.sockets.countClosed(socket);
  }

  /** Saves the record, sets the alarm for the next task, and closes the sockets of an upload that has ended. */
  protected save(record: Record): void {
    this.store.save(record);
    this.sockets.broadcastEnd(record.phase);
    const { at } = this.nextTask(record, Date.now());
    void this.ctx.storage.setAlarm(this.pictures.isUnsettled ? Math.min(at, Date.now() + SETTLE_AFTER_MS) : at);
  }
}

interface SessionRecord extends Lifecycle {
  plan: { fileId: string };
}

export interface FinalizerDependencies<Record extends SessionRecord> {
  bucket: R2Bucket;
  db: Database;
  store: { find(): Record | null };
  manifest: Pick<ManifestStore, "forget">;
  /** The queue of webhooks, which takes ids of deliveries. */
  webhooks: Queue<string>;
  /** The queue of ready links that the Worker has something to do with. */
  checks: Queue<LinkCheck>;
  /** Whether ready links are scanned. */
  isScanned: boolean;
  /** The kinds of files that this site does not take. */
  refusedKinds: readonly RiskyKind[];
  /** Saves the record, and sets the alarm for the next task. */
  save(record: Record): void;
  waitUntil(work: Promise<unknown>): void;
}

type ReadyResult = { ok: true; expiresAt: number | null } | { ok: false; code: "UPLOAD_CLOSED" | "MANIFEST_MISSING" };

/** Completes or ends an upload of either kind. After a crash, the alarm repeats every remaining step. */
export abstract class SessionFinalizer<Record extends SessionRecord, Result> {
  /** The first word in the names of log events. */
  protected abstract readonly kind: "upload" | "transfer";
  readonly #deps: FinalizerDependencies<Record>;

  constructor(deps: FinalizerDependencies<Record>) {
    this.#deps = deps;
  }

  /**
   * Completes the upload in R2, then in D1, then in the session's own record. If R2 or D1 does not answer, the alarm
   * tries again.
   */
  abstract finish(): Promise<Result>;
  /** Aborts the upload's multipart uploads that are not completed. Idempotent. */
  protected abstract abortParts(record: Record): Promise<void>;
  /** Deletes all stored objects of the upload. Idempotent. */
  protected abstract deleteStored(record: Record): Promise<void>;

  /**
   * Makes the upload's row in D1 ready. If the row has ended, the upload ends, too. If a sealed upload lacks its final
   * list of files, the upload goes on.
   */
  protected async finishRow(record: Record, finished: Finished): Promise<ReadyResult> {
    const { db, isScanned } = this.#deps;
    const { fileId } = record.plan;
    const row = await markReady(db, fileId, finished, isScanned);
    if (row.kind === "ready") {
      if (isScanned) this.#deps.waitUntil(this.#queueScan(fileId));
      if (row.deliveries.length > 0) this.#deps.waitUntil(this.#queue(row.deliveries));
      return { ok: true, expiresAt: row.expiresAt };
    }
    if (row.kind === "ended") {
      await this.end(record, "cancelled", "CANCELLED");
      return { ok: false, code: "UPLOAD_CLOSED" };
    }
    this.#deps.save(reopen(record, finished.uploadedAt));
    return { ok: false, code: "MANIFEST_MISSING" };
  }

  /** Gives the link to the scanner. If the queue refuses it, the cron gives it to the queue later. */
  async #queueScan(fileId: string): Promise<void> {
    try {
      await this.#deps.checks.send({ fileId, kind: "scan" });
    } catch (error) {
      logError("scan.not_queued", error, { fileId });
    }
  }

  /** Gives deliveries of webhooks to their queue. If the queue refuses them, the cron gives them to it later. */
  async #queue(deliveries: readonly string[]): Promise<void> {
    try {
      await this.#deps.webhooks.sendBatch(deliveries.map((body) => ({ body })));
    } catch (error) {
      logError("webhook.not_queued", error, { deliveries: deliveries.length });
    }
  }

  /**
   * Ends the ready link if one of its files is on the block list. Its owner is mailed by the Worker; if the queue does
   * not take that, the sweep still deletes the bytes.
   * @param sums that the server has computed
   */
  protected async endIfBlocked(fileId: string, sums: readonly string[]): Promise<void> {
    const { db, checks } = this.#deps;
    const { hit } = await findBlocked(db, blockable(sums));
    if (!hit || !(await endBlockedLink(db, fileId, hit, Date.now()))) return;
    await checks.send({ fileId, kind: "blocked" });
  }

  /** After a failed completion, leaves the next attempt to the alarm, or gives the upload up after too long a time. */
  protected async retryOrGiveUp(record: Record, error: unknown): Promise<{ ok: false; code: "STORAGE_UNAVAILABLE" }> {
    logError(`${this.kind}.completion_failed`, error, { uploadId: record.plan.fileId });
    const attempted = recordAttempt(record);
    if (isOutOfTime(attempted, Date.now())) await this.end(attempted, "failed", "STORAGE_UNAVAILABLE");
    else this.#deps.save(attempted);
    return { ok: false, code: "STORAGE_UNAVAILABLE" };
  }

  /** Ends an abandoned upload. Without an open record in this object, only releases the row and its quota. */
  async abandon(fileId: string): Promise<void> {
    const record = this.#deps.store.find();
    if (record && !isSettled(record)) await this.end(record, "failed", "ABANDONED");
    else await releaseFile(this.#deps.db, fileId, "failed", "ABANDONED");
  }

  /** Ends the upload. Saves the end first, so that the alarm can repeat a failed clean-up. */
  async end(record: Record, phase: "failed" | "cancelled", code: string): Promise<void> {
    const ended = markEnded(record, phase, code, Date.now());
    this.#deps.save(ended);
    await this.cleanUp(ended);
  }

  /** The row in D1 counts the objects, because a form's object may be stored before this object knows of it. */
  async #deletePictures(fileId: string): Promise<void> {
    const pictureObjects = await countPictureObjects(this.#deps.db, fileId);
    await deleteManyObjects(this.#deps.bucket, pictureKeysOf({ id: fileId, pictureObjects }));
  }

  /** Releases the row and its quota in D1, then deletes the bytes in R2. The alarm repeats a failed step. */
  async cleanUp(record: Record): Promise<void> {
    const { db, save } = this.#deps;
    const { fileId } = record.plan;
    let released = record.released ?? false;
    try {
      const status = record.phase === "cancelled" ? "cancelled" : "failed";
      released ||= await releaseFile(db, fileId, status, record.endCode ?? "FAILED");
      const row = released ? null : await findFileById(db, fileId);
      await this.abortParts(record);
      // A missing row may mean that the Worker is bound to a wrong database (decision 023), so the objects stay. A
      // finished upload keeps its objects.
      if (released || (row && row.status !== "ready")) {
        await this.deleteStored(record);
        await this.#deletePictures(fileId);
        this.#deps.manifest.forget();
      }
      save(recordCleanedUp(record));
    } catch (error) {
      logError(`${this.kind}.cleanup_failed`, error, { uploadId: fileId });
      save({ ...recordAttempt(record), released });
    }
  }
}
