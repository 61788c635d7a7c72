import type { Checksum } from "#domain/checksums.ts";
import type { Lifetime } from "#domain/expiry.ts";
import {
  type CompletedPart,
  type SenderMessage,
  type UploadTransport,
  senderMessage,
  type ServerMessage,
  type UploadProgress,
} from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { createMultipart } from "#worker/storage/objects.ts";
import { type SocketAdmission, SessionSockets } from "../shared/session-sockets.ts";
import { Session } from "../shared/session.ts";
import { readAppend, Appender } from "./appender.ts";
import { ChunkReceiver, type Chunk } from "./chunk-receiver.ts";
import { Chunks, type Receiving } from "./chunks.ts";
import { UploadFinalizer } from "./finalizer.ts";
import {
  FILE_CHANGED,
  MARK_MISSING,
  NO_UPLOAD,
  checkTransport,
  requireOpen,
  uploadClosed,
  uploadIncomplete,
  type AppendResult,
  type CancelResult,
  type ChunkResult,
  type CompleteResult,
  type OpenUpload,
  type ReceivedParts,
  type ResumeResult,
  type StartResult,
  type UploadRejection,
  type UploadStatus,
} from "./results.ts";
import * as state from "./state.ts";
import { UploadStore } from "./store.ts";

/**
 * The upload of a single file. Its bytes come in one of three ways, which the start decides: in parts that their sender
 * puts into R2 and report here, in chunks with numbers (`ChunkReceiver`), or in bodies of any length that are cut into
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
export class UploadSession extends Session<state.UploadRecord, CompleteResult, SenderMessage, "hash"> {
  protected override readonly store = new UploadStore(this.ctx.storage);
  readonly #bucket = openBucket(this.env.BUCKET);
  readonly #chunks = new Chunks(this.ctx.storage, this.#bucket, this.store);
  protected override readonly sockets = new UploadSockets(this.ctx, this.env);
  protected override readonly finalizer = new UploadFinalizer({
    bucket: this.#bucket,
    db: openDatabase(this.env.DB),
    store: this.store,
    manifest: this.manifest,
    chunks: this.#chunks,
    save: (record) => this.save(record),
    waitUntil: (work) => this.ctx.waitUntil(work),
  });
  readonly #receiving: Receiving = {
    storage: this.ctx.storage,
    store: this.store,
    chunks: this.#chunks,
    save: (record) => this.save(record),
    onChunk: (record, count) => this.sockets.relayReceived(record, state.chunksPercent(record, count)),
    complete: () => this.#complete(),
  };
  readonly #chunkReceiver = new ChunkReceiver(this.#receiving);
  readonly #appender = new Appender(this.#receiving);
  #opening: Promise<StartResult> | null = null;

  /**
   * Starts the upload. Idempotent. @param r2UploadId an existing multipart upload; without one, a file in parts gets a
   * new one @param manifest the first encrypted list of a sealed upload
   */
  start(
    plan: state.UploadPlan,
    r2UploadId: string | null = null,
    manifest: string | null = null,
  ): Promise<StartResult> {
    this.#opening ??= this.#open(plan, r2UploadId, manifest).finally(() => {
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
    // The received bytes are stored even if the caller is gone.
    this.ctx.waitUntil(appending);
    return Response.json(await appending);
  }

  /** Stops the request at work of an appended upload. @returns the offset of the next byte */
  takeOver(): Promise<AppendResult> {
    return this.#appender.takeOver();
  }

  override async cancel(): Promise<CancelResult> {
    // Does not wait when no request is at work, so that a later call finds the upload cancelled.
    if (this.#appender.isAtWork) await this.#appender.stop();
    return super.cancel();
  }

  /** Stores parts that their sender reports as completed. @returns all completed parts, with or without new ones */
  storeReceipts(receipts: CompletedPart[]): ReceivedParts {
    const taken = this.#takeParts(receipts);
    if (!taken.ok) return taken;
    const { record } = taken;
    if (state.isSettled(record)) return uploadClosed(record);
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    const received = this.store.partNumbers();
    return { ok: true, r2UploadId: record.r2UploadId, received, parts: state.partsOf(record) };
  }

  /**
   * Completes a single PUT or an upload in parts. Idempotent. @param checksum that the sender has computed @param
   * mustMatch discards bytes with another checksum @param crc32 of the whole file, in hexadecimal: an upload whose
   * parts have other sums fails
   */
  async complete(
    receipts: CompletedPart[],
    checksum: Checksum | null = null,
    mustMatch = false,
    crc32: string | null = null,
  ): Promise<CompleteResult> {
    const taken = this.#takeParts(receipts);
    if (!taken.ok) return taken;
    const { record } = taken;
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    if (crc32 !== null && state.isOtherFile(record, this.store.sums(), crc32)) {
      await this.finalizer.end(record, "failed", "FILE_CHANGED");
      return FILE_CHANGED;
    }
    return this.#complete(checksum, mustMatch);
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
    const stored = this.#storeParts(record, message.receipts);
    if (stored.length > 0) this.sockets.acknowledge(socket, stored);
  }

  async #open(plan: state.UploadPlan, existing: string | null, manifest: string | null): Promise<StartResult> {
    const opened = this.store.find();
    if (opened) return { ok: true, r2UploadId: opened.r2UploadId };
    const create = () => createMultipart(this.#bucket, objectKey(plan.fileId), plan.contentType);
    const r2UploadId = plan.partSizeBytes === null ? null : (existing ?? (await create()));
    const record = state.newUploadRecord(plan, r2UploadId, Date.now());
    this.store.create();
    if (plan.chunkSizeBytes !== null) this.#chunks.create(plan.isAppended === true);
    if (plan.isSealed) this.store.createMarks();
    if (manifest !== null) this.manifest.begin(manifest);
    this.save(record);
    return { ok: true, r2UploadId };
  }

  #takeParts(receipts: CompletedPart[]): OpenUpload | UploadRejection {
    const found = this.store.find();
    if (!found) return NO_UPLOAD;
    if (state.needsMarks(found) && receipts.some(({ mark }) => mark === undefined)) {
      return { ok: false, ...MARK_MISSING };
    }
    this.#storeParts(found, receipts);
    return { ok: true, record: this.store.find() ?? found };
  }

  /** @returns the parts that were stored as completed */
  #storeParts(record: state.UploadRecord, receipts: CompletedPart[]): number[] {
    // The Worker makes the parts of an upload in chunks, so what a client reports about them is not genuine.
    return state.transportOf(record) === "parts" ? this.store.takeParts(record, receipts) : [];
  }

  /** Begins the completion if no part is missing, and waits for its end. */
  async #complete(checksum: Checksum | null = null, mustMatch = false): Promise<CompleteResult> {
    const record = this.store.find();
    if (!record) return NO_UPLOAD;
    if (record.phase === "ready") return { ok: true, expiresAt: record.expiresAt };
    if (state.isSettled(record)) return uploadClosed(record);
    if (record.phase !== "completing") {
      const missing = state.missingParts(record, new Set(this.store.partNumbers()));
      if (missing.length > 0) return uploadIncomplete(missing);
      this.save(state.beginCompletion(record, checksum, mustMatch, Date.now()));
    }
    return this.completeOnce();
  }
}

/** The sockets of a single file's upload. */
class UploadSockets extends SessionSockets<UploadProgress, SenderMessage> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, senderMessage);
  }

  /** @param received numbers of completed parts @returns the client's end */
  accept(admission: SocketAdmission, record: state.UploadRecord, received: number[]): WebSocket {
    const greeting: ServerMessage[] = [this.progressOf(record, received)];
    if (admission.role === "sender") greeting.push({ type: "received", parts: received });
    return this.open(admission, greeting, record.phase);
  }

  acknowledge(socket: WebSocket, parts: number[]): void {
    this.send(socket, { type: "received", parts } satisfies ServerMessage);
  }

  /** Relays the percentage alone: watchers see no text from a client. */
  relayProgress(sender: WebSocket, record: state.UploadRecord, { progress }: UploadProgress): void {
    this.relay(progressMessage(record, progress), sender);
  }

  /** Tells watchers the progress of a client without a socket, such as that of an upload in chunks. */
  relayReceived(record: state.UploadRecord, percent: number): void {
    if (!this.hasSender && !this.isEmpty) this.relay(progressMessage(record, percent));
  }

  progressOf(record: state.UploadRecord, received: number[]): UploadProgress {
    if (this.lastRelayed && !state.isSettled(record)) return this.lastRelayed;
    return progressMessage(record, state.receivedPercent(record, received));
  }
}

function progressMessage({ plan }: state.UploadRecord, progress: number): UploadProgress {
  const { fileId, filename } = plan;
  const statusMessage = progress === 100 ? "Finishing" : "Uploading";
  return { type: "upload_progress", uploadId: fileId, filename, progress, statusMessage };
}
