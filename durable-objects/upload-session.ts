import { DurableObject } from "cloudflare:workers";
import type { Lifetime } from "#domain/expiry.ts";
import { HOUR_MS } from "#domain/units.ts";
import type { Receipt, SenderMessage } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { findFileById } from "#worker/db/files.ts";
import { markFileReady, releaseFile } from "#worker/db/uploads.ts";
import { incomingKey } from "#worker/storage/keys.ts";
import { createMultipart, deleteObjects } from "#worker/storage/objects.ts";
import { ChunkReceiver } from "./chunk-receiver.ts";
import { ChunkStore, type Chunk } from "./chunks.ts";
import { assembleObject, discardUpload, type Assembly } from "./upload-object.ts";
import {
  incomplete,
  MISSING_NAMED,
  NO_UPLOAD,
  refusalFor,
  stillOpen,
  type Cancelled,
  type ChunkTaken,
  type Completed,
  type Resumed,
  type Signable,
  type Started,
} from "./upload-results.ts";
import { UploadSockets, type SocketRole } from "./upload-sockets.ts";
import * as state from "./upload-state.ts";
import { UploadStore } from "./upload-store.ts";

/** Carries a socket's role from the Worker, which has checked it, to the object. */
export const SOCKET_ROLE_HEADER = "x-socket-role";

/**
 * One upload: the only writer of its state and the only caller of complete and abort, so parallel completes, an abort
 * during a complete and a retry after a lost answer all have one outcome. Everything it acknowledged is in its own
 * storage before the answer goes out, and it may be evicted between any two lines.
 */
export class UploadSession extends DurableObject<Env> {
  readonly #store = new UploadStore(this.ctx.storage);
  readonly #chunks = new ChunkStore(this.ctx.storage);
  readonly #receiver = new ChunkReceiver(this.env.BUCKET, this.#chunks, this.#store, (receipts) => {
    // While the part was on its way to storage, the upload may have ended.
    const record = this.#store.find();
    if (record) this.#storeReceipts(record, receipts);
  });
  readonly #sockets = new UploadSockets(this.ctx);
  readonly #db = openDatabase(this.env.DB);
  #opening: Promise<Started> | null = null;
  #completion: Promise<Completed> | null = null;

  /**
   * Opens the upload. A repeated start answers as the first did.
   * @param adopted a multipart upload that has been opened already
   */
  start(plan: state.UploadPlan, adopted: string | null = null): Promise<Started> {
    this.#opening ??= this.#open(plan, adopted).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Goes on with an upload that broke off, with the expiration that was chosen now. */
  resume(lifetime: Lifetime): Resumed {
    const record = stillOpen(this.#store.find());
    if ("ok" in record) return record;
    this.#save(state.noteReceipt(state.changeLifetime(record, lifetime), Date.now()));
    return { ok: true, r2UploadId: record.r2UploadId, received: this.#store.partNumbers() };
  }

  /** Takes one chunk. Once this has answered, the chunk survives anything. */
  async putChunk(chunk: Chunk): Promise<ChunkTaken> {
    const taken = await this.#receiver.take(() => stillOpen(this.#store.find()), chunk);
    if (!taken.ok) return taken;
    const now = stillOpen(this.#store.find());
    return "ok" in now ? now : { ok: true, receivedChunks: this.#chunks.count() };
  }

  /** Turns the chunks into a file. Idempotent, like `complete`. */
  async finalizeChunks(): Promise<Completed> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    if (!state.isSettled(record) && record.phase !== "completing") {
      const missing = this.#chunks.missing(record, MISSING_NAMED);
      if (missing.length > 0) return incomplete(missing);
      if (!(await this.#receiver.flush(record))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    const outcome = await this.complete([]);
    // Parts that storage has lost come again as chunks.
    const lost = !outcome.ok && outcome.code === "UPLOAD_INCOMPLETE";
    return lost ? incomplete(this.#chunks.missing(record, MISSING_NAMED)) : outcome;
  }

  /** Takes receipts, and answers what is needed to sign part URLs. */
  prepareSigning(receipts: Receipt[]): Signable {
    const record = this.#receive(receipts);
    if (!record) return NO_UPLOAD;
    if (state.isSettled(record)) return refusalFor(record);
    if (record.plan.chunkSizeBytes !== null) {
      return { ok: false, code: "BAD_REQUEST", message: "This upload comes in chunks." };
    }
    return { ok: true, r2UploadId: record.r2UploadId, received: this.#store.partNumbers() };
  }

  /** Takes the last receipts and turns the upload into a file. Idempotent; parallel calls share one completion. */
  async complete(receipts: Receipt[], checksum: state.Checksum | null = null): Promise<Completed> {
    const record = this.#receive(receipts);
    if (!record) return NO_UPLOAD;
    if (record.phase === "ready") return { ok: true, expiresAt: record.expiresAt };
    if (state.isSettled(record)) return refusalFor(record);
    if (record.phase !== "completing") {
      const missing = state.missingParts(record, new Set(this.#store.partNumbers()));
      if (missing.length > 0) return incomplete(missing);
      this.#save(state.beginCompletion(record, checksum));
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
    if (!state.isSettled(record)) await this.#end(record, "cancelled", "CANCELLED");
    return { ok: true };
  }

  /** Percent of the file that has arrived, as the sender last said it or as the receipts show. */
  progress(): number | null {
    const record = this.#store.find();
    return record && this.#sockets.progressOf(record, this.#store.partNumbers()).progress;
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
    else if (at > Date.now()) this.#save(record);
    else if (duty === "abandon") await this.#end(record, "failed", "ABANDONED");
    else await this.#store.forget();
  }

  /** A socket, whose role the Worker has decided. */
  override fetch(request: Request): Response {
    const record = this.#store.find();
    if (!record) return new Response(null, { status: 404 });
    const role: SocketRole = request.headers.get(SOCKET_ROLE_HEADER) === "sender" ? "sender" : "watcher";
    const client = this.#sockets.accept(role, record, this.#store.partNumbers());
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = this.#sockets.read(socket, data, Date.now());
    const record = message && this.#store.find();
    if (message && record && !state.isSettled(record)) this.#hear(socket, record, message);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#sockets.answerClose(socket, code, reason);
    this.#sockets.announceWatchers(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#sockets.announceWatchers(socket);
  }

  #hear(socket: WebSocket, record: state.UploadRecord, message: SenderMessage): void {
    if (message.type === "upload_progress") {
      this.#sockets.relay(socket, record, message);
      return;
    }
    const stored = record.plan.chunkSizeBytes === null ? this.#storeReceipts(record, message.receipts) : [];
    if (stored.length > 0) this.#sockets.send(socket, { type: "received", parts: stored });
  }

  async #open(plan: state.UploadPlan, adopted: string | null): Promise<Started> {
    const known = this.#store.find();
    if (known) return { ok: true, r2UploadId: known.r2UploadId };
    const create = () => createMultipart(this.env.BUCKET, plan.fileId, plan.contentType);
    const r2UploadId = plan.partSizeBytes === null ? null : (adopted ?? (await create()));
    const record = state.startUpload(plan, r2UploadId, Date.now());
    this.#store.create();
    if (plan.chunkSizeBytes !== null) this.#chunks.create();
    this.#save(record);
    return { ok: true, r2UploadId };
  }

  /** Stores receipts, where the upload still takes them. @returns the upload, or null when there is none */
  #receive(receipts: Receipt[]): state.UploadRecord | null {
    const record = this.#store.find();
    // The parts of an upload that comes in chunks are made here: nobody else has receipts for them.
    if (record && record.plan.chunkSizeBytes === null) this.#storeReceipts(record, receipts);
    return this.#store.find();
  }

  /** @returns the parts whose receipts are stored now */
  #storeReceipts(record: state.UploadRecord, receipts: Receipt[]): number[] {
    if (receipts.length === 0 || state.isSettled(record) || record.phase === "completing") return [];
    const known = receipts.filter(({ part }) => part <= state.partCountOf(record));
    this.#store.addReceipts(known.map(({ part, etag }) => ({ part, etag: etag.replace(/^W\/|"/g, "") })));
    this.#store.save(state.noteReceipt(record, Date.now()));
    return known.map(({ part }) => part);
  }

  async #finish(): Promise<Completed> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    try {
      return await this.#settle(record, await assembleObject(this.env.BUCKET, record, this.#store.receipts()));
    } catch (error) {
      console.error({ event: "upload.completion_failed", uploadId: record.plan.fileId, error: String(error) });
      const noted = state.noteAttempt(record);
      if (state.isHopeless(noted)) await this.#end(noted, "failed", "STORAGE_UNAVAILABLE");
      else this.#save(noted);
      return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
  }

  async #settle(record: state.UploadRecord, assembly: Assembly): Promise<Completed> {
    if (assembly.kind === "lost") {
      await this.#end(record, "failed", "OBJECT_MISMATCH");
      return { ok: false, code: "OBJECT_MISMATCH" };
    }
    if (assembly.kind !== "whole") {
      if (assembly.kind === "parts-unknown") {
        this.#store.dropReceipts();
        if (record.plan.chunkSizeBytes !== null) this.#chunks.forgetSent();
      }
      const reopened = state.reopen(record, Date.now());
      this.#save(reopened);
      return incomplete(state.missingParts(reopened, new Set(this.#store.partNumbers())));
    }
    const now = Date.now();
    const file = await markFileReady(this.#db, record.plan.fileId, {
      etag: assembly.object.etag,
      checksum: assembly.sha256 === null ? record.checksum : { sha256: assembly.sha256, source: "server" },
      uploadedAt: now,
      expiresAt: state.expiryFrom(record, now),
    });
    if (!file) {
      await this.#end(record, "cancelled", "CANCELLED");
      return { ok: false, code: "UPLOAD_CLOSED" };
    }
    const settled = state.settleReady(record, file.expiresAt, now);
    this.#save(settled);
    this.#sockets.announceEnd(settled);
    // The sweep empties what this misses: the copy under its own key is what the link serves.
    if (record.r2UploadId === null)
      this.ctx.waitUntil(deleteObjects(this.env.BUCKET, [incomingKey(record.plan.fileId)]));
    return { ok: true, expiresAt: file.expiresAt };
  }

  async #end(record: state.UploadRecord, phase: "failed" | "cancelled", code: string): Promise<void> {
    const ended = state.settleEnded(record, phase, code, Date.now());
    this.#save(ended);
    this.#sockets.announceEnd(ended);
    await this.#cleanUp(ended);
  }

  async #cleanUp(record: state.UploadRecord): Promise<void> {
    try {
      const status = record.phase === "cancelled" ? "cancelled" : "failed";
      const released = await releaseFile(this.#db, record.plan.fileId, status, record.endCode ?? "FAILED");
      // Whatever went wrong here: a file that a link leads to keeps its object.
      const isFile = !released && (await findFileById(this.#db, record.plan.fileId))?.status === "ready";
      if (!isFile) await discardUpload(this.env.BUCKET, record);
      this.#save(state.noteCleanedUp(record));
    } catch (error) {
      console.error({ event: "upload.cleanup_failed", uploadId: record.plan.fileId, error: String(error) });
      this.#save(state.noteAttempt(record));
    }
  }

  #save(record: state.UploadRecord): void {
    this.#store.save(record);
    void this.ctx.storage.setAlarm(state.nextDuty(record, Date.now()).at);
  }
}
