import { type Checksum, joinCrc32 } from "#domain/checksums.ts";
import type { Lifetime } from "#domain/expiry.ts";
import { partLength } from "#domain/parts.ts";
import type { Receipt, SenderMessage, UploadTransport } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { createMultipart } from "#worker/storage/objects.ts";
import { completeAppended } from "./append-completion.ts";
import { readAppend, Appender } from "./appender.ts";
import { ChunkReceiver } from "./chunk-receiver.ts";
import { ChunkStore, type Chunk } from "./chunks.ts";
import { UploadFinalizer } from "./finalizer.ts";
import {
  checkTransport,
  FILE_CHANGED,
  MARK_MISSING,
  MAX_MISSING_LISTED,
  NO_UPLOAD,
  requireOpen,
  uploadClosed,
  uploadIncomplete,
  WRONG_ADDRESS,
  type AppendResult,
  type CancelResult,
  type ChunkResult,
  type CompleteResult,
  type ResumeResult,
  type SigningResult,
  type StartResult,
  type UploadStatus,
} from "./results.ts";
import { Session } from "../shared/session.ts";
import type { SocketAdmission } from "../shared/session-sockets.ts";
import { UploadSockets } from "./sockets.ts";
import * as state from "./state.ts";
import { UploadStore } from "./store.ts";

/**
 * The only writer of one upload's state, and the only caller of R2's complete and abort: parallel calls and retries have
 * one outcome. The object may be evicted at any await, so it stores what it acknowledges first.
 */
export class UploadSession extends Session<state.UploadRecord> {
  protected override readonly store = new UploadStore(this.ctx.storage);
  readonly #chunks = new ChunkStore(this.ctx.storage);
  readonly #bucket = openBucket(this.env.BUCKET);
  readonly #receiver = new ChunkReceiver(this.#bucket, this.#chunks, this.store, (receipts) => {
    // The upload may have ended while the part was being sent.
    const record = this.store.find();
    if (record) this.#storeReceipts(record, receipts);
  });
  protected override readonly sockets = new UploadSockets(this.ctx, this.env);
  protected override readonly finalizer = new UploadFinalizer({
    bucket: this.#bucket,
    db: openDatabase(this.env.DB),
    store: this.store,
    chunks: this.#chunks,
    sendRest: async (record) => {
      if (!(await this.#receiver.flush(record))) throw new Error("storage did not take the last parts");
    },
    save: (record) => this.#save(record),
    waitUntil: (work) => this.ctx.waitUntil(work),
  });
  readonly #appender = new Appender({
    storage: this.ctx.storage,
    store: this.store,
    chunks: this.#chunks,
    receiver: this.#receiver,
    save: (record) => this.#save(record),
    onChunk: (record, chunks) => this.sockets.relayReceived(record, state.chunksPercent(record, chunks)),
  });
  #opening: Promise<StartResult> | null = null;
  #completion: Promise<CompleteResult> | null = null;

  /** Idempotent. @param r2UploadId an existing multipart upload; without it, a file in parts gets a new one */
  start(plan: state.UploadPlan, r2UploadId: string | null = null): Promise<StartResult> {
    this.#opening ??= this.#open(plan, r2UploadId).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  resume(transport: UploadTransport, lifetime: Lifetime): ResumeResult {
    const open = requireOpen(this.store.find());
    if (!open.ok) return open;
    const { record } = open;
    if (checkTransport(record, transport)) return { ok: false, code: "BAD_REQUEST" };
    this.#save(state.recordResumed(state.changeLifetime(record, lifetime), Date.now()));
    const { chunkSizeBytes } = record.plan;
    const nextChunk = transport === "chunks" ? (this.#chunks.missing(record, 1)[0] ?? this.#chunks.count()) : 0;
    return {
      ok: true,
      r2UploadId: record.r2UploadId,
      received: this.store.partNumbers(),
      parts: state.partsOf(record),
      chunkSizeBytes,
      nextChunk,
      ...(record.plan.isSealed ? this.#marks(transport) : this.#sums()),
    };
  }

  #sums(): Pick<Extract<ResumeResult, { ok: true }>, "sums"> {
    const sums = this.store.sums();
    return sums.length > 0 ? { sums } : {};
  }

  #marks(transport: UploadTransport): Pick<Extract<ResumeResult, { ok: true }>, "marks" | "chunkMarks"> {
    if (transport === "parts") return { marks: this.store.marks() };
    return { chunkMarks: this.store.chunkMarks() };
  }

  async putChunk(chunk: Chunk): Promise<ChunkResult> {
    const findOpen = () => {
      const open = requireOpen(this.store.find());
      return open.ok && state.isAppended(open.record) ? WRONG_ADDRESS : open;
    };
    const result = await this.#receiver.receive(findOpen, chunk);
    if (!result.ok) return result;
    const open = findOpen();
    if (!open.ok) return open;
    const receivedChunks = this.#chunks.count();
    this.sockets.relayReceived(open.record, state.chunksPercent(open.record, receivedChunks));
    return { ok: true, receivedChunks };
  }

  /** Idempotent. */
  async finalizeChunks(): Promise<CompleteResult> {
    const record = this.store.find();
    if (!record) return NO_UPLOAD;
    const rejection = checkTransport(record, "chunks");
    if (rejection) return rejection;
    if (!state.isSettled(record) && record.phase !== "completing") {
      const missing = this.#chunks.missing(record, MAX_MISSING_LISTED);
      if (missing.length > 0) return uploadIncomplete(missing);
      if (!(await this.#receiver.flush(record))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    }
    const result = await this.completeOnce();
    // The client knows chunks, not parts.
    const lacksParts = !result.ok && result.code === "UPLOAD_INCOMPLETE";
    return lacksParts ? uploadIncomplete(this.#chunks.missing(record, MAX_MISSING_LISTED)) : result;
  }

  /** Adds the body of an `appendRequest`. The answer is an `AppendResult`. */
  override async fetch(request: Request): Promise<Response> {
    const append = readAppend(request);
    if (!append) return super.fetch(request);
    const appended = this.#appender.append(append);
    const appending = appended.then((result) => completeAppended(result, () => this.completeOnce()));
    // What has come is stored even if the caller is gone.
    this.ctx.waitUntil(appending);
    return Response.json(await appending);
  }

  /** Where the next byte of an appended upload belongs. Takes over from the request at work. */
  async takeOver(): Promise<AppendResult> {
    await this.#appender.stop();
    return this.#appender.position();
  }

  override async cancel(): Promise<CancelResult> {
    // Without a wait when nothing is at work, so that a call that comes later finds the upload cancelled.
    if (this.#appender.isAtWork) await this.#appender.stop();
    return super.cancel();
  }

  prepareSigning(receipts: Receipt[]): SigningResult {
    if (this.#lacksMark(receipts)) return { ok: false, ...MARK_MISSING };
    const record = this.#recordReceipts(receipts);
    if (!record) return NO_UPLOAD;
    if (state.isSettled(record)) return uploadClosed(record);
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    return {
      ok: true,
      r2UploadId: record.r2UploadId,
      received: this.store.partNumbers(),
      parts: state.partsOf(record),
    };
  }

  /**
   * For a single PUT or an upload in parts. Idempotent.
   * @param mustMatch other bytes than the checksum's are discarded
   * @param crc32 of the whole file, in hexadecimal: an upload whose parts have other sums fails
   */
  async complete(
    receipts: Receipt[],
    checksum: Checksum | null = null,
    mustMatch = false,
    crc32: string | null = null,
  ): Promise<CompleteResult> {
    if (this.#lacksMark(receipts)) return { ok: false, ...MARK_MISSING };
    const record = this.#recordReceipts(receipts);
    if (!record) return NO_UPLOAD;
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    if (crc32 !== null && (await this.#failIfChanged(record, crc32))) return FILE_CHANGED;
    return this.completeOnce(checksum, mustMatch);
  }

  /** @returns whether all parts have sums that are not those of a file with this one; the upload has failed then */
  async #failIfChanged(record: state.UploadRecord, crc32: string): Promise<boolean> {
    const { partSizeBytes, partCount } = state.partsOf(record);
    const sums = this.store.sums();
    if (record.phase === "completing" || state.isSettled(record) || sums.length < partCount) return false;
    const { sizeBytes } = record.plan.lifetime;
    const joined = sums.reduce(
      (sum, { part, crc32: ofPart }) =>
        joinCrc32(sum, Number.parseInt(ofPart, 16), partLength(sizeBytes, part, partSizeBytes)),
      0,
    );
    if (joined === Number.parseInt(crc32, 16)) return false;
    await this.finalizer.end(record, "failed", "FILE_CHANGED");
    return true;
  }

  status(): UploadStatus | null {
    const record = this.store.find();
    if (!record) return null;
    const { progress } = this.sockets.progressOf(record, this.store.partNumbers());
    return { progress, transport: state.transportOf(record) };
  }

  override async alarm(): Promise<void> {
    const record = this.store.find();
    if (!record) return;
    const { task, at } = state.nextAlarmTask(record, Date.now());
    if (task === "complete") await this.completeOnce();
    else if (task === "clean-up") await this.finalizer.cleanUp(record);
    else if (task === "hash") await this.finalizer.hash(record);
    else if (at > Date.now()) this.#save(record);
    else if (task === "abandon") await this.finalizer.abandon(record.plan.fileId);
    else await this.store.deleteAll();
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    const message = this.sockets.readMessage(socket, data, Date.now());
    const record = message && this.store.find();
    if (message && record && !state.isSettled(record)) this.#handleMessage(socket, record, message);
  }

  protected override acceptSocket(admission: SocketAdmission, record: state.UploadRecord): WebSocket {
    return this.sockets.accept(admission, record, this.store.partNumbers());
  }

  protected override nextTaskAt(record: state.UploadRecord): number {
    return state.nextAlarmTask(record, Date.now()).at;
  }

  #handleMessage(socket: WebSocket, record: state.UploadRecord, message: SenderMessage): void {
    if (message.type === "upload_progress") {
      this.sockets.relayProgress(socket, record, message);
      return;
    }
    const stored = record.plan.chunkSizeBytes === null ? this.#storeReceipts(record, message.receipts) : [];
    if (stored.length > 0) this.sockets.acknowledge(socket, stored);
  }

  async #open(plan: state.UploadPlan, existing: string | null): Promise<StartResult> {
    const opened = this.store.find();
    if (opened) return { ok: true, r2UploadId: opened.r2UploadId };
    const create = () => createMultipart(this.#bucket, objectKey(plan.fileId), plan.contentType);
    const r2UploadId = plan.partSizeBytes === null ? null : (existing ?? (await create()));
    const record = state.startUpload(plan, r2UploadId, Date.now());
    this.store.create();
    if (plan.chunkSizeBytes !== null) this.#chunks.create();
    if (plan.isAppended) this.#appender.create();
    if (plan.isSealed) this.store.createMarks();
    this.#save(record);
    return { ok: true, r2UploadId };
  }

  protected override async completeOnce(checksum: Checksum | null = null, mustMatch = false): Promise<CompleteResult> {
    const record = this.store.find();
    if (!record) return NO_UPLOAD;
    if (record.phase === "ready") return { ok: true, expiresAt: record.expiresAt };
    if (state.isSettled(record)) return uploadClosed(record);
    if (record.phase !== "completing") {
      const missing = state.missingParts(record, new Set(this.store.partNumbers()));
      if (missing.length > 0) return uploadIncomplete(missing);
      this.#save(state.beginCompletion(record, checksum, mustMatch, Date.now()));
    }
    this.#completion ??= this.finalizer.finish().finally(() => {
      this.#completion = null;
    });
    return this.#completion;
  }

  #lacksMark(receipts: Receipt[]): boolean {
    const record = this.store.find();
    return record !== null && state.needsMarks(record) && receipts.some(({ mark }) => mark === undefined);
  }

  #recordReceipts(receipts: Receipt[]): state.UploadRecord | null {
    const record = this.store.find();
    // The Worker makes the parts of an upload in chunks, so a client's receipts for them are not genuine.
    if (record && record.plan.chunkSizeBytes === null) this.#storeReceipts(record, receipts);
    return this.store.find();
  }

  /** @returns the parts whose receipts were stored */
  #storeReceipts(record: state.UploadRecord, receipts: Receipt[]): number[] {
    if (receipts.length === 0 || state.isSettled(record)) return [];
    // The last parts of an appended upload are sent when it completes.
    if (record.phase === "completing" && !state.isAppended(record)) return [];
    const { partCount } = state.partsOf(record);
    const needsMarks = state.needsMarks(record);
    const accepted = receipts.filter(({ part, mark }) => part <= partCount && (mark !== undefined || !needsMarks));
    if (needsMarks) for (const { part, mark } of accepted) this.store.addMark(part, mark);
    this.store.addReceipts(
      accepted.map(({ part, etag, crc32 }) => ({ part, etag: etag.replace(/^W\/|"/g, ""), crc32 })),
    );
    this.store.save(state.recordActivity(record, Date.now()));
    return accepted.map(({ part }) => part);
  }

  #save(record: state.UploadRecord): void {
    this.store.save(record);
    this.afterSave(record);
  }
}
