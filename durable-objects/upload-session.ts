import { DurableObject } from "cloudflare:workers";
import type { ErrorCode } from "#domain/errors.ts";
import { isMultipart } from "#domain/parts.ts";
import { HOUR_MS } from "#domain/units.ts";
import type { Receipt, SenderMessage, UploadProgress } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { markFileReady, releaseFile } from "#worker/db/files.ts";
import { incomingKey } from "#worker/storage/keys.ts";
import { createMultipart, deleteObjects } from "#worker/storage/objects.ts";
import { assembleObject, discardUpload, type Assembly } from "./upload-object.ts";
import { UploadSockets, type SocketRole } from "./upload-sockets.ts";
import * as state from "./upload-state.ts";
import { UploadStore } from "./upload-store.ts";

/** Why a call to an upload was refused. NO_UPLOAD: the object remembers none, so D1 has to answer. */
export interface Refusal {
  ok: false;
  code: ErrorCode | "NO_UPLOAD";
  /** Parts that are still missing, where that is why: the first hundred. */
  missing?: number[];
}
export type Started = { ok: true; r2UploadId: string | null } | Refusal;
export type Signable = { ok: true; r2UploadId: string; received: number[] } | Refusal;
export type Completed = { ok: true; expiresAt: number | null } | Refusal;
export type Cancelled = { ok: true } | Refusal;

/** Carries a socket's role from the Worker, which has checked it, to the object. */
export const SOCKET_ROLE_HEADER = "x-socket-role";

const MISSING_NAMED = 100;
const NO_UPLOAD: Refusal = { ok: false, code: "NO_UPLOAD" };

/**
 * One upload: the only writer of its state and the only caller of complete and abort, so parallel completes, an abort
 * during a complete and a retry after a lost answer all have one outcome. Everything it acknowledged is in its own
 * storage before the answer goes out, and it may be evicted between any two lines.
 */
export class UploadSession extends DurableObject<Env> {
  readonly #store = new UploadStore(this.ctx.storage);
  readonly #sockets = new UploadSockets(this.ctx);
  readonly #db = openDatabase(this.env.DB);
  #completion: Promise<Completed> | null = null;
  #lastProgress: UploadProgress | null = null;

  /** Opens the upload. A repeated start answers as the first did. */
  async start(plan: state.UploadPlan): Promise<Started> {
    const known = this.#store.find();
    if (known) return { ok: true, r2UploadId: known.r2UploadId };
    const r2UploadId = isMultipart(plan.lifetime.sizeBytes)
      ? await createMultipart(this.env.BUCKET, plan.fileId, plan.contentType)
      : null;
    const record = state.startUpload(plan, r2UploadId, Date.now());
    this.#store.create(record);
    this.#schedule(record);
    return { ok: true, r2UploadId };
  }

  /** Takes receipts, and answers what is needed to sign part URLs. */
  prepareSigning(receipts: Receipt[]): Signable {
    const record = this.#receive(receipts);
    if (!record) return NO_UPLOAD;
    if (state.isSettled(record)) return refusalFor(record);
    if (record.r2UploadId === null) return { ok: false, code: "BAD_REQUEST" };
    return { ok: true, r2UploadId: record.r2UploadId, received: this.#store.partNumbers() };
  }

  /** Takes the last receipts and turns the upload into a file. Idempotent; parallel calls share one completion. */
  async complete(receipts: Receipt[]): Promise<Completed> {
    const record = this.#receive(receipts);
    if (!record) return NO_UPLOAD;
    if (record.phase === "ready") return { ok: true, expiresAt: record.expiresAt };
    if (state.isSettled(record)) return refusalFor(record);
    if (record.phase !== "completing") {
      const missing = state.missingParts(record, new Set(this.#store.partNumbers()));
      if (missing.length > 0) return incomplete(missing);
      this.#save(state.beginCompletion(record));
    }
    this.#completion ??= this.#finish().finally(() => {
      this.#completion = null;
    });
    return this.#completion;
  }

  /** Discards the upload and gives its reservation back. An upload that is finishing finishes first. */
  async cancel(): Promise<Cancelled> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    if (record.phase === "completing") {
      const outcome = await this.complete([]);
      if (outcome.ok || outcome.code === "STORAGE_UNAVAILABLE") {
        return { ok: false, code: outcome.ok ? "UPLOAD_FINISHED" : outcome.code };
      }
      return this.cancel();
    }
    if (record.phase === "ready") return { ok: false, code: "UPLOAD_FINISHED" };
    if (!state.isSettled(record)) await this.#end(record, "cancelled");
    return { ok: true };
  }

  /** Percent of the file that has arrived, as the sender last said it or as the receipts show. */
  progress(): number | null {
    const record = this.#store.find();
    return record && this.#progressOf(record).progress;
  }

  /**
   * For the cron, which catches what an alarm missed: ends the upload if it was abandoned.
   * @returns until when it lives, epoch milliseconds; null when there is nothing left to live
   */
  async endIfAbandoned(): Promise<number | null> {
    await this.alarm();
    const record = this.#store.find();
    if (!record || state.isSettled(record)) return null;
    return Math.max(state.nextDuty(record, Date.now()).at, Date.now() + HOUR_MS);
  }

  override async alarm(): Promise<void> {
    const record = this.#store.find();
    if (!record) return;
    const { duty, at } = state.nextDuty(record, Date.now());
    if (duty === "complete") await this.complete([]);
    else if (duty === "clean-up") await this.#cleanUp(record);
    else if (at > Date.now()) this.#schedule(record);
    else if (duty === "abandon") await this.#end(record, "failed");
    else await this.#store.forget();
  }

  /** A socket, whose role the Worker has decided. */
  override fetch(request: Request): Response {
    const record = this.#store.find();
    if (!record) return new Response(null, { status: 404 });
    const role: SocketRole = request.headers.get(SOCKET_ROLE_HEADER) === "sender" ? "sender" : "watcher";
    const { client, server } = this.#sockets.accept(role);
    this.#sockets.send(server, this.#progressOf(record));
    if (role === "sender") this.#sockets.send(server, { type: "received", parts: this.#store.partNumbers() });
    if (state.isSettled(record)) this.#announceEnd(record);
    else this.#sockets.announceWatchers();
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = this.#sockets.read(socket, data, Date.now());
    const record = message && this.#store.find();
    if (message && record && !state.isSettled(record)) this.#hear(socket, record, message);
  }

  override webSocketClose(socket: WebSocket): void {
    this.#sockets.announceWatchers(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#sockets.announceWatchers(socket);
  }

  #hear(socket: WebSocket, record: state.UploadRecord, message: SenderMessage): void {
    if (message.type === "receipts") {
      this.#receive(message.receipts);
      this.#sockets.send(socket, { type: "received", parts: message.receipts.map(({ part }) => part) });
      return;
    }
    const { fileId, filename } = record.plan;
    this.#lastProgress = { ...message, uploadId: fileId, filename };
    this.#sockets.broadcast(this.#lastProgress, socket);
  }

  /** Stores receipts of an upload that still takes parts. @returns the upload, or null when there is none */
  #receive(receipts: Receipt[]): state.UploadRecord | null {
    const record = this.#store.find();
    if (!record || receipts.length === 0 || state.isSettled(record) || record.phase === "completing") return record;
    const known = receipts.filter(({ part }) => part <= state.partCountOf(record));
    this.#store.addReceipts(known.map(({ part, etag }) => ({ part, etag: etag.replace(/^W\/|"/g, "") })));
    const noted = state.noteReceipt(record, Date.now());
    this.#store.save(noted);
    return noted;
  }

  async #finish(): Promise<Completed> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    try {
      return await this.#settle(record, await assembleObject(this.env.BUCKET, record, this.#store.receipts()));
    } catch (error) {
      console.error({ event: "upload.completion_failed", uploadId: record.plan.fileId, error: String(error) });
      this.#save(state.noteAttempt(record));
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
  }

  async #settle(record: state.UploadRecord, assembly: Assembly): Promise<Completed> {
    if (assembly.kind === "lost") {
      await this.#end(record, "failed");
      return { ok: false, code: "OBJECT_MISMATCH" };
    }
    if (assembly.kind !== "whole") {
      if (assembly.kind === "parts-unknown") this.#store.dropReceipts();
      const reopened = state.reopen(record, Date.now());
      this.#save(reopened);
      return incomplete(state.missingParts(reopened, new Set(this.#store.partNumbers())));
    }
    const now = Date.now();
    const file = await markFileReady(this.#db, record.plan.fileId, {
      etag: assembly.object.etag,
      sha256: assembly.sha256,
      uploadedAt: now,
      expiresAt: state.expiryFrom(record, now),
    });
    if (!file) {
      await this.#end(record, "cancelled");
      return refusalFor(state.settleEnded(record, "cancelled", now));
    }
    const settled = state.settleReady(record, file.expiresAt, now);
    this.#save(settled);
    this.#announceEnd(settled);
    // The sweep empties what this misses: the copy under its own key is what the link serves.
    if (record.r2UploadId === null)
      this.ctx.waitUntil(deleteObjects(this.env.BUCKET, [incomingKey(record.plan.fileId)]));
    return { ok: true, expiresAt: file.expiresAt };
  }

  async #end(record: state.UploadRecord, phase: "failed" | "cancelled"): Promise<void> {
    const ended = state.settleEnded(record, phase, Date.now());
    this.#save(ended);
    this.#announceEnd(ended);
    await this.#cleanUp(ended);
  }

  async #cleanUp(record: state.UploadRecord): Promise<void> {
    try {
      await releaseFile(this.#db, record.plan.fileId, record.phase === "cancelled" ? "cancelled" : "failed");
      await discardUpload(this.env.BUCKET, record);
      this.#save(state.noteCleanedUp(record));
    } catch (error) {
      console.error({ event: "upload.cleanup_failed", uploadId: record.plan.fileId, error: String(error) });
      this.#save(state.noteAttempt(record));
    }
  }

  #save(record: state.UploadRecord): void {
    this.#store.save(record);
    this.#schedule(record);
  }

  #schedule(record: state.UploadRecord): void {
    void this.ctx.storage.setAlarm(state.nextDuty(record, Date.now()).at);
  }

  #announceEnd({ phase }: state.UploadRecord): void {
    if (phase === "ready" || phase === "failed" || phase === "cancelled") {
      this.#sockets.broadcast({ type: "upload_ended", status: phase });
      this.#sockets.closeAll(`The upload is ${phase}.`);
    }
  }

  #progressOf(record: state.UploadRecord): UploadProgress {
    if (this.#lastProgress && !state.isSettled(record)) return this.#lastProgress;
    return {
      type: "upload_progress",
      uploadId: record.plan.fileId,
      filename: record.plan.filename,
      progress: state.receivedPercent(record, this.#store.partNumbers()),
      statusMessage: "Uploading",
    };
  }
}

function incomplete(missing: number[]): Refusal {
  return { ok: false, code: "UPLOAD_INCOMPLETE", missing: missing.slice(0, MISSING_NAMED) };
}

function refusalFor(record: state.UploadRecord): Refusal {
  return { ok: false, code: record.phase === "ready" ? "UPLOAD_FINISHED" : "UPLOAD_CLOSED" };
}
