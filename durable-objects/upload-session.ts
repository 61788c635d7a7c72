import { DurableObject } from "cloudflare:workers";
import type { Checksum } from "#domain/checksum.ts";
import type { Lifetime } from "#domain/expiry.ts";
import { HOUR_MS } from "#domain/units.ts";
import type { Receipt, SenderMessage, UploadTransport } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { createMultipart } from "#worker/storage/objects.ts";
import { ChunkReceiver } from "./chunk-receiver.ts";
import { ChunkStore, type Chunk } from "./chunks.ts";
import { UploadFinalizer } from "./upload-finalizer.ts";
import {
  incomplete,
  MISSING_NAMED,
  NO_UPLOAD,
  refusalFor,
  refusalForTransport,
  stillOpen,
  type Cancelled,
  type ChunkTaken,
  type Completed,
  type Resumed,
  type Signable,
  type Started,
  type UploadStatus,
} from "./upload-results.ts";
import { readAdmission, UploadSockets } from "./upload-sockets.ts";
import * as state from "./upload-state.ts";
import { UploadStore } from "./upload-store.ts";

/**
 * One upload: the only writer of its state and the only caller of complete and abort, so parallel completes, an abort
 * during a complete and a retry after a lost answer all have one outcome. Everything it acknowledged is in its own
 * storage before the answer goes out, and it may be evicted between any two lines.
 */
export class UploadSession extends DurableObject<Env> {
  readonly #store = new UploadStore(this.ctx.storage);
  readonly #chunks = new ChunkStore(this.ctx.storage);
  readonly #bucket = openBucket(this.env.BUCKET);
  readonly #receiver = new ChunkReceiver(this.#bucket, this.#chunks, this.#store, (receipts) => {
    // While the part was on its way to storage, the upload may have ended.
    const record = this.#store.find();
    if (record) this.#storeReceipts(record, receipts);
  });
  readonly #sockets = new UploadSockets(this.ctx, this.env);
  readonly #ending = new UploadFinalizer({
    bucket: this.#bucket,
    db: openDatabase(this.env.DB),
    store: this.#store,
    chunks: this.#chunks,
    sockets: this.#sockets,
    save: (record) => {
      this.#save(record);
    },
    waitUntil: (work) => {
      this.ctx.waitUntil(work);
    },
  });
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

  /** Goes on with an upload that broke off on that road, with the expiration that was chosen now. */
  resume(transport: UploadTransport, lifetime: Lifetime): Resumed {
    const record = stillOpen(this.#store.find());
    if ("ok" in record) return record;
    if (state.transportOf(record) !== transport) return { ok: false, code: "BAD_REQUEST" };
    this.#save(state.recordReceipt(state.changeLifetime(record, lifetime), Date.now()));
    const { chunkSizeBytes } = record.plan;
    const nextChunk = transport === "chunks" ? (this.#chunks.missing(record, 1)[0] ?? this.#chunks.count()) : 0;
    return { ok: true, r2UploadId: record.r2UploadId, received: this.#store.partNumbers(), chunkSizeBytes, nextChunk };
  }

  /** Takes one chunk. Once this has answered, the chunk survives anything. */
  async putChunk(chunk: Chunk): Promise<ChunkTaken> {
    const taken = await this.#receiver.take(() => stillOpen(this.#store.find()), chunk);
    if (!taken.ok) return taken;
    const now = stillOpen(this.#store.find());
    return "ok" in now ? now : { ok: true, receivedChunks: this.#chunks.count() };
  }

  /** Turns an upload that comes in chunks into a file. Idempotent. */
  async finalizeChunks(): Promise<Completed> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    const wrongRoad = refusalForTransport(record, "chunks");
    if (wrongRoad) return wrongRoad;
    if (!state.isSettled(record) && record.phase !== "completing") {
      const missing = this.#chunks.missing(record, MISSING_NAMED);
      if (missing.length > 0) return incomplete(missing);
      if (!(await this.#receiver.flush(record))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    const outcome = await this.#complete(null);
    // Parts that storage has lost come again as chunks.
    const lost = !outcome.ok && outcome.code === "UPLOAD_INCOMPLETE";
    return lost ? incomplete(this.#chunks.missing(record, MISSING_NAMED)) : outcome;
  }

  /** Takes receipts, and answers what is needed to sign part URLs. */
  prepareSigning(receipts: Receipt[]): Signable {
    const record = this.#receive(receipts);
    if (!record) return NO_UPLOAD;
    if (state.isSettled(record)) return refusalFor(record);
    const wrongRoad = refusalForTransport(record, "parts");
    if (wrongRoad) return wrongRoad;
    return { ok: true, r2UploadId: record.r2UploadId, received: this.#store.partNumbers() };
  }

  /** Takes the last receipts and turns an upload that comes in parts into a file. Idempotent. */
  async complete(receipts: Receipt[], checksum: Checksum | null = null): Promise<Completed> {
    const record = this.#receive(receipts);
    if (!record) return NO_UPLOAD;
    return refusalForTransport(record, "parts") ?? this.#complete(checksum);
  }

  /** Discards the upload and gives its reservation back. An upload that is finishing finishes first. */
  async cancel(): Promise<Cancelled> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    if (record.phase === "completing") {
      const outcome = await this.#complete(null);
      if (outcome.ok || outcome.code === "STORAGE_UNAVAILABLE") {
        return { ok: false, code: outcome.ok ? "UPLOAD_FINISHED" : outcome.code };
      }
      return this.cancel();
    }
    if (record.phase === "ready") return { ok: false, code: "UPLOAD_FINISHED" };
    if (!state.isSettled(record)) await this.#ending.end(record, "cancelled", "CANCELLED");
    return { ok: true };
  }

  /** How far the file has come, as the sender last said it or as the receipts show. */
  status(): UploadStatus | null {
    const record = this.#store.find();
    if (!record) return null;
    const { progress } = this.#sockets.progressOf(record, this.#store.partNumbers());
    return { progress, transport: state.transportOf(record) };
  }

  /**
   * For the cron, which catches what an alarm missed: ends the upload if it was abandoned.
   * @returns until when it lives, epoch milliseconds; null when there is nothing left to live
   */
  async endIfAbandoned(): Promise<number | null> {
    await this.alarm();
    const record = this.#store.find();
    if (!record || state.isSettled(record)) return null;
    return Math.max(state.nextAlarmTask(record, Date.now()).at, Date.now() + HOUR_MS);
  }

  override async alarm(): Promise<void> {
    const record = this.#store.find();
    if (!record) return;
    const { task, at } = state.nextAlarmTask(record, Date.now());
    if (task === "complete") await this.#complete(null);
    else if (task === "clean-up") await this.#ending.cleanUp(record);
    else if (task === "hash") await this.#ending.hash(record);
    else if (at > Date.now()) this.#save(record);
    else if (task === "abandon") await this.#ending.end(record, "failed", "ABANDONED");
    else await this.#store.forget();
  }

  /** A socket, whose role the Worker has decided. */
  override async fetch(request: Request): Promise<Response> {
    const admission = readAdmission(request);
    const isRoom = this.#store.find() !== null && (await this.#sockets.takePlace(admission));
    const record = this.#store.find();
    if (!record) return new Response(null, { status: 404 });
    if (!isRoom) return new Response(null, { status: 429 });
    const client = this.#sockets.accept(admission, record, this.#store.partNumbers());
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = this.#sockets.read(socket, data, Date.now());
    const record = message && this.#store.find();
    if (message && record && !state.isSettled(record)) this.#handleMessage(socket, record, message);
  }

  override webSocketClose(socket: WebSocket, code: number, reason: string): void {
    this.#sockets.answerClose(socket, code, reason);
    this.#sockets.leave(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#sockets.leave(socket);
  }

  #handleMessage(socket: WebSocket, record: state.UploadRecord, message: SenderMessage): void {
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
    const create = () => createMultipart(this.#bucket, plan.fileId, plan.contentType);
    const r2UploadId = plan.partSizeBytes === null ? null : (adopted ?? (await create()));
    const record = state.startUpload(plan, r2UploadId, Date.now());
    this.#store.create();
    if (plan.chunkSizeBytes !== null) this.#chunks.create();
    this.#save(record);
    return { ok: true, r2UploadId };
  }

  /** Turns an upload of either road into a file; parallel calls share one completion. */
  async #complete(checksum: Checksum | null): Promise<Completed> {
    const record = this.#store.find();
    if (!record) return NO_UPLOAD;
    if (record.phase === "ready") return { ok: true, expiresAt: record.expiresAt };
    if (state.isSettled(record)) return refusalFor(record);
    if (record.phase !== "completing") {
      const missing = state.missingParts(record, new Set(this.#store.partNumbers()));
      if (missing.length > 0) return incomplete(missing);
      this.#save(state.beginCompletion(record, checksum));
    }
    this.#completion ??= this.#ending.finish().finally(() => {
      this.#completion = null;
    });
    return this.#completion;
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
    this.#store.save(state.recordReceipt(record, Date.now()));
    return known.map(({ part }) => part);
  }

  #save(record: state.UploadRecord): void {
    this.#store.save(record);
    void this.ctx.storage.setAlarm(state.nextAlarmTask(record, Date.now()).at);
  }
}
