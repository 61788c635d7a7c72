import type { Checksum } from "#domain/checksums.ts";
import type { Lifetime } from "#domain/expiry.ts";
import type { CompletedPart, SenderMessage, UploadTransport } from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { createMultipart } from "#worker/storage/objects.ts";
import type { SocketAdmission } from "../shared/session-sockets.ts";
import { Session } from "../shared/session.ts";
import { readAppend, Appender } from "./appender.ts";
import { ChunkReceiver, type Chunk } from "./chunk-receiver.ts";
import { Chunks, type Receiving } from "./chunks.ts";
import { UploadFinalizer } from "./finalizer.ts";
import { PartReceiver } from "./part-receiver.ts";
import {
  checkTransport,
  NO_UPLOAD,
  requireOpen,
  uploadClosed,
  uploadIncomplete,
  type AppendResult,
  type CancelResult,
  type ChunkResult,
  type CompleteResult,
  type ReceivedParts,
  type ResumeResult,
  type StartResult,
  type UploadStatus,
} from "./results.ts";
import { UploadSockets } from "./sockets.ts";
import * as state from "./state.ts";
import { UploadStore } from "./store.ts";

/**
 * The upload of a single file. Its bytes come in one of three ways, which the start decides: in parts that their sender
 * puts into R2 (`PartReceiver`), in chunks with numbers (`ChunkReceiver`), or in bodies of any length that are cut into
 * chunks here (`Appender`). `Chunks` keeps those of both and makes parts of them. What always holds, also when the object
 * is evicted at an await:
 *
 * 1. Nobody else writes the state of this upload, or completes or aborts it in R2.
 * 2. What is acknowledged is stored.
 * 3. "completing" is stored before R2 is asked to complete, and all calls share one completion: parallel calls and
 *    retries have one outcome. Only the completion leaves this phase, back to "uploading" if something is missing.
 * 4. A settled upload stays settled.
 * 5. The alarm is set for the next task or earlier, so that it goes on with what a crash has left.
 * 6. Parts of an upload in chunks have the ETags that R2 gave to this object, and none of a client.
 */
export class UploadSession extends Session<state.UploadRecord, CompleteResult, SenderMessage> {
  protected override readonly store = new UploadStore(this.ctx.storage);
  readonly #bucket = openBucket(this.env.BUCKET);
  readonly #chunks = new Chunks(this.ctx.storage, this.#bucket, this.store);
  protected override readonly sockets = new UploadSockets(this.ctx, this.env);
  protected override readonly finalizer = new UploadFinalizer({
    bucket: this.#bucket,
    db: openDatabase(this.env.DB),
    store: this.store,
    chunks: this.#chunks,
    save: (record) => this.save(record),
    waitUntil: (work) => this.ctx.waitUntil(work),
  });
  readonly #parts = new PartReceiver({
    store: this.store,
    failChanged: (record) => this.finalizer.end(record, "failed", "FILE_CHANGED"),
    complete: (checksum, mustMatch) => this.completeOnce(checksum, mustMatch),
  });
  readonly #receiving: Receiving = {
    storage: this.ctx.storage,
    store: this.store,
    chunks: this.#chunks,
    save: (record) => this.save(record),
    onChunk: (record, count) => this.sockets.relayReceived(record, state.chunksPercent(record, count)),
    complete: () => this.completeOnce(),
  };
  readonly #chunkReceiver = new ChunkReceiver(this.#receiving);
  readonly #appender = new Appender(this.#receiving);
  #opening: Promise<StartResult> | null = null;

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
    this.save(state.recordResumed(state.changeLifetime(record, lifetime), Date.now()));
    const { chunkSizeBytes } = record.plan;
    const chunks = this.#chunks;
    const nextChunk = transport === "chunks" ? (chunks.missing(record, 1)[0] ?? chunks.count()) : 0;
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

  putChunk(chunk: Chunk): Promise<ChunkResult> {
    return this.#chunkReceiver.receive(chunk);
  }

  finalizeChunks(): Promise<CompleteResult> {
    return this.#chunkReceiver.finalize();
  }

  /** Adds the body of an `appendRequest`. The answer is an `AppendResult`. */
  override async fetch(request: Request): Promise<Response> {
    const append = readAppend(request);
    if (!append) return super.fetch(request);
    const appending = this.#appender.append(append);
    // What has come is stored even if the caller is gone.
    this.ctx.waitUntil(appending);
    return Response.json(await appending);
  }

  /** Where the next byte of an appended upload belongs. Takes over from the request at work. */
  takeOver(): Promise<AppendResult> {
    return this.#appender.takeOver();
  }

  override async cancel(): Promise<CancelResult> {
    // Without a wait when nothing is at work, so that a call that comes later finds the upload cancelled.
    if (this.#appender.isAtWork) await this.#appender.stop();
    return super.cancel();
  }

  /** Of parts. Without any, only answers what has come. */
  storeReceipts(receipts: CompletedPart[]): ReceivedParts {
    return this.#parts.receive(receipts);
  }

  /** For a single PUT or an upload in parts. Idempotent. The parameters are those of `SenderSums`. */
  complete(
    receipts: CompletedPart[],
    checksum: Checksum | null = null,
    mustMatch = false,
    crc32: string | null = null,
  ): Promise<CompleteResult> {
    return this.#parts.complete(receipts, { checksum, mustMatch, crc32 });
  }

  status(): UploadStatus | null {
    const record = this.store.find();
    if (!record) return null;
    const { progress } = this.sockets.progressOf(record, this.store.partNumbers());
    return { progress, transport: state.transportOf(record) };
  }

  protected override acceptSocket(admission: SocketAdmission, record: state.UploadRecord): WebSocket {
    return this.sockets.accept(admission, record, this.store.partNumbers());
  }

  protected override nextTask(record: state.UploadRecord, now: number) {
    return state.nextAlarmTask(record, now);
  }

  protected override work(record: state.UploadRecord): Promise<void> {
    return this.finalizer.hash(record);
  }

  protected override receiveMessage(socket: WebSocket, message: SenderMessage, record: state.UploadRecord): void {
    if (message.type === "upload_progress") {
      this.sockets.relayProgress(socket, record, message);
      return;
    }
    const stored = this.#parts.store(record, message.receipts);
    if (stored.length > 0) this.sockets.acknowledge(socket, stored);
  }

  async #open(plan: state.UploadPlan, existing: string | null): Promise<StartResult> {
    const opened = this.store.find();
    if (opened) return { ok: true, r2UploadId: opened.r2UploadId };
    const create = () => createMultipart(this.#bucket, objectKey(plan.fileId), plan.contentType);
    const r2UploadId = plan.partSizeBytes === null ? null : (existing ?? (await create()));
    const record = state.newUploadRecord(plan, r2UploadId, Date.now());
    this.store.create();
    if (plan.chunkSizeBytes !== null) this.#chunks.create(plan.isAppended === true);
    if (plan.isSealed) this.store.createMarks();
    this.save(record);
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
      this.save(state.beginCompletion(record, checksum, mustMatch, Date.now()));
    }
    return super.completeOnce();
  }
}
