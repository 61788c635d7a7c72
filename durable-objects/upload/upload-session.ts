import type { Checksum } from "#domain/checksums.ts";
import type { Lifetime } from "#domain/expiry.ts";
import { parseKinds } from "#domain/moderation/risky-kinds.ts";
import {
  type CompletedPart,
  type SenderMessage,
  type UploadTransport,
  senderMessage,
  type ServerMessage,
  type UploadProgress,
} from "#domain/wire.ts";
import { openDatabase } from "#worker/db/client.ts";
import { logError } from "#worker/log.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { objectKey } from "#worker/storage/keys.ts";
import { createMultipart } from "#worker/storage/objects.ts";
import { FOLLOW_WAIT_MS, Followers } from "../shared/followers.ts";
import { type MultipartUpload, Segments } from "../shared/segments.ts";
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
  STORAGE_UNAVAILABLE,
  TOO_MANY_FOLLOWERS,
  uploadClosed,
  uploadIncomplete,
  type AppendResult,
  type CancelResult,
  type ChunkResult,
  type CompleteResult,
  type FollowResult,
  type OpenUpload,
  type ReceivedParts,
  type ResumeResult,
  type StartResult,
  type UploadRejection,
  type UploadStatus,
} from "./results.ts";
import * as state from "./state.ts";
import { UploadStore } from "./store.ts";

/** The number of parts whose uploads a start opens: as many as a browser sends at once over HTTP/1.1. */
const FIRST_PARTS = 6;

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
export class UploadSession extends Session<state.UploadRecord, CompleteResult, SenderMessage, "hash" | "join"> {
  protected override readonly store = new UploadStore(this.ctx.storage);
  readonly #bucket = openBucket(this.env.BUCKET);
  readonly #chunks = new Chunks({
    storage: this.ctx.storage,
    bucket: this.#bucket,
    store: this.store,
    open: async (record, part) => (await this.#uploadsFor(record, [part]))?.[0] ?? null,
    onSent: (record, part) => this.#addParts(record, [part]),
  });
  readonly #followers = new Followers();
  readonly #segments = new Segments({
    bucket: this.#bucket,
    store: this.store.segments,
    fileOf: () => {
      const record = this.store.find();
      return record && !state.isSettled(record) ? state.segmentedFileOf(record) : null;
    },
    completedParts: (_file, first, last) => this.store.completedParts(first, last),
    onJoined: () => this.#followers.wake(),
    forget: (_file, first, last) => this.#forget(first, last),
  });
  protected override readonly sockets = new UploadSockets(this.ctx, this.env);
  protected override readonly finalizer = new UploadFinalizer({
    bucket: this.#bucket,
    db: openDatabase(this.env.DB),
    store: this.store,
    manifest: this.manifest,
    chunks: this.#chunks,
    segments: this.#segments,
    webhooks: this.env.WEBHOOKS,
    checks: this.env.CHECKS,
    isScanned: this.env.SCAN !== "off",
    refusedKinds: parseKinds(this.env.REFUSED_KINDS) ?? [],
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
    this.#opening ??= this.#start(plan, r2UploadId, manifest).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async resume(transport: UploadTransport, lifetime: Lifetime): Promise<ResumeResult> {
    const open = requireOpen(this.store.find());
    if (!open.ok) return open;
    const { record } = open;
    if (checkTransport(record, transport)) return { ok: false, code: "BAD_REQUEST" };
    this.save(state.recordResumed(state.changeLifetime(record, lifetime), Date.now()));
    const { chunkSizeBytes } = record.plan;
    const chunks = this.#chunks;
    const nextChunk = transport === "chunks" ? (chunks.missing(record, 1)[0] ?? chunks.count()) : 0;
    const uploads = await this.#openFirst(record);
    if (uploads === "failed") return STORAGE_UNAVAILABLE;
    return {
      ok: true,
      uploads,
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

  /**
   * Stores parts that their sender reports as completed. @param wanted parts that the sender is going to send
   * @returns all completed parts, and where to send the wanted ones
   */
  async storeReceipts(receipts: CompletedPart[], wanted: number[] = []): Promise<ReceivedParts> {
    const taken = this.#takeParts(receipts);
    if (!taken.ok) return taken;
    const { record } = taken;
    if (state.isSettled(record)) return uploadClosed(record);
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    const parts = state.partsOf(record);
    const planned = wanted.filter((part) => part >= 1 && part <= parts.partCount);
    const uploads = await this.#open(record, planned);
    if (uploads === "failed") return STORAGE_UNAVAILABLE;
    const completed = this.store.completedParts().filter(({ part }) => planned.includes(part));
    const closed = state.isSegmented(record) ? this.#sort(record, completed).closed : [];
    return { ok: true, uploads, closed, received: this.store.partNumbers(), parts };
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

  /**
   * Tells a reader how far the file can be read. Waits if that is no further than `from`, unless the sender is silent.
   * @param response names the reader's response @param from a position in the file
   */
  async follow(response: string, from: number, waitMs = FOLLOW_WAIT_MS): Promise<FollowResult> {
    if (!this.#followers.admit(response, Date.now())) return TOO_MANY_FOLLOWERS;
    const until = Date.now() + waitMs;
    for (;;) {
      const record = this.store.find();
      if (!record) return NO_UPLOAD;
      if (record.phase === "ready") return { ok: true, isReady: true, storedTo: record.plan.lifetime.sizeBytes };
      if (state.isSettled(record) || !state.isSegmented(record)) return uploadClosed(record);
      const storedTo = this.store.segments.storedTo(state.segmentedFileOf(record), from);
      const now = Date.now();
      if (storedTo > from || now >= until || state.isSilent(record, now)) return { ok: true, isReady: false, storedTo };
      await this.#followers.wait(until - now);
    }
  }

  /** Makes room for another reader. */
  unfollow(response: string): void {
    this.#followers.leave(response);
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
    return state.nextAlarmTask(record, now, state.isSegmented(record) && this.#segments.hasWork);
  }

  protected override hasEntry(n: number): boolean {
    return n === 0;
  }

  protected override async work(record: state.UploadRecord, task: "hash" | "join"): Promise<void> {
    if (task === "hash") return this.finalizer.hash(record);
    await this.#join();
    this.save(this.store.find() ?? record);
  }

  protected override save(record: state.UploadRecord): void {
    super.save(record);
    if (state.isSettled(record)) this.#followers.wake();
  }

  protected override receiveMessage(socket: WebSocket, message: SenderMessage, record: state.UploadRecord): void {
    if (message.type === "upload_progress") {
      this.sockets.relayProgress(socket, record, message);
      return;
    }
    if (this.#endIfOtherFile(record, message.receipts)) return;
    const stored = this.#storeParts(record, message.receipts);
    if (stored.length > 0) this.sockets.acknowledge(socket, stored);
  }

  async #start(plan: state.UploadPlan, existing: string | null, manifest: string | null): Promise<StartResult> {
    const opened = this.store.find();
    if (!opened) await this.#create(plan, existing, manifest);
    const record = opened ?? this.store.find();
    const uploads = record && (await this.#openFirst(record));
    if (uploads !== "failed") return { ok: true, uploads };
    if (record && !opened) await this.finalizer.end(record, "failed", STORAGE_UNAVAILABLE.code);
    return STORAGE_UNAVAILABLE;
  }

  async #create(plan: state.UploadPlan, existing: string | null, manifest: string | null): Promise<void> {
    const isOneObject = plan.partSizeBytes !== null && plan.etag === undefined;
    const create = () => createMultipart(this.#bucket, objectKey(plan.fileId), plan.contentType);
    const record = state.newUploadRecord(plan, isOneObject ? (existing ?? (await create())) : null, Date.now());
    this.store.create();
    if (plan.chunkSizeBytes !== null) this.#chunks.create(plan.isAppended === true);
    if (plan.isSealed) this.store.createMarks();
    if (state.isSegmented(record)) this.store.segments.create();
    if (manifest !== null) this.manifest.begin(manifest);
    this.save(record);
  }

  /** As `#open`, for the first missing parts. Chunks open an upload when they have a whole part. */
  #openFirst(record: state.UploadRecord) {
    const missing = state.missingParts(record, new Set(this.store.partNumbers()));
    return this.#open(record, missing.slice(0, state.transportOf(record) === "parts" ? FIRST_PARTS : 0));
  }

  /** As `#uploadsFor`. @returns "failed" if R2 does not answer */
  async #open(record: state.UploadRecord, parts: number[]): Promise<MultipartUpload[] | "failed" | null> {
    try {
      return await this.#uploadsFor(record, parts);
    } catch (error) {
      logError("upload.open_failed", error, { uploadId: record.plan.fileId });
      return "failed";
    }
  }

  /**
   * @returns the multipart uploads that take these parts; null for a single PUT @throws Error when R2 does not answer
   */
  async #uploadsFor(record: state.UploadRecord, parts: number[]): Promise<MultipartUpload[] | null> {
    if (state.isSegmented(record)) return this.#segments.open(state.segmentedFileOf(record), parts);
    const { r2UploadId, plan } = record;
    if (r2UploadId === null) return null;
    return [{ key: objectKey(plan.fileId), r2UploadId, firstPart: 1, partCount: state.partsOf(record).partCount }];
  }

  #takeParts(receipts: CompletedPart[]): OpenUpload | UploadRejection {
    const found = this.store.find();
    if (!found) return NO_UPLOAD;
    if (state.needsMarks(found) && receipts.some(({ mark }) => mark === undefined)) {
      return { ok: false, ...MARK_MISSING };
    }
    if (this.#endIfOtherFile(found, receipts)) return FILE_CHANGED;
    this.#storeParts(found, receipts);
    return { ok: true, record: this.store.find() ?? found };
  }

  /** Ends the upload if receipts have other sums than parts that can be read already. @returns whether it did */
  #endIfOtherFile(record: state.UploadRecord, receipts: CompletedPart[]): boolean {
    const isOpen = state.isSegmented(record) && record.phase !== "completing" && !state.isSettled(record);
    // Of an upload in chunks, clients report no parts.
    if (!isOpen || state.transportOf(record) !== "parts") return false;
    if (!this.store.areContradicted(record, this.#sort(record, receipts).closed)) return false;
    this.ctx.waitUntil(this.finalizer.end(record, "failed", "FILE_CHANGED"));
    return true;
  }

  /** Stores parts that a client reports. @returns the parts that are stored as completed, now or before */
  #storeParts(record: state.UploadRecord, receipts: CompletedPart[]): number[] {
    // This object makes the parts of an upload in chunks, so what a client reports about them is not genuine.
    return state.transportOf(record) === "parts" ? this.#addParts(record, receipts) : [];
  }

  /** @returns the parts that are stored as completed, now or before */
  #addParts(record: state.UploadRecord, receipts: CompletedPart[]): number[] {
    if (!state.isSegmented(record)) return this.store.takeParts(record, receipts);
    const { open, closed } = this.#sort(record, receipts);
    const stored = this.store.takeParts(record, open);
    const count = (first: number, last: number) => this.store.completedParts(first, last).length;
    this.store.segments.close(state.segmentedFileOf(record), stored, count);
    if (this.#segments.hasWork) {
      this.save(this.store.find() ?? record);
      this.ctx.waitUntil(this.#join());
    }
    return [...closed.map(({ part }) => part), ...stored];
  }

  /** As `SegmentStore.sort`. */
  #sort<Part extends { part: number }>(record: state.UploadRecord, parts: readonly Part[]) {
    return this.store.segments.sort(state.segmentedFileOf(record), parts);
  }

  /** As the dependency of `Segments`. */
  #forget(first: number, last: number): boolean {
    const record = this.store.find();
    // Bytes are appended in order, so the sender would have to send later segments again, which never change.
    if (!record || state.isAppended(record)) return false;
    this.store.deleteCompletedParts(first, last);
    if (state.transportOf(record) === "chunks") this.#chunks.deleteSent(record, first, last);
    return true;
  }

  /** Joins the segments whose parts are all completed. */
  async #join(): Promise<void> {
    await this.#segments.join();
    const record = this.store.find();
    // A completion that is running ends the upload by itself.
    if (record?.phase === "uploading" && this.#segments.isUnjoinable)
      await this.finalizer.end(record, "failed", "OBJECT_MISMATCH");
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
