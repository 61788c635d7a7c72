import type { Lifetime } from "#domain/expiry.ts";
import { partLength } from "#domain/parts.ts";
import { decideRateLimit, type RateLimitRule } from "#domain/rate-limits.ts";
import { addRuns, type Run, type Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import {
  type TransferBatch,
  type TransferProgress,
  type CompletedObjectPart,
  transferProgress,
  type TransferMessage,
} from "#domain/wire.ts";
import { parseKinds } from "#domain/moderation/risky-kinds.ts";
import { closedCode } from "#domain/upload-lifetime.ts";
import { openDatabase } from "#worker/db/client.ts";
import { logError } from "#worker/log.ts";
import { openBucket } from "#worker/storage/bucket.ts";
import { FOLLOW_WAIT_MS, Followers } from "../shared/followers.ts";
import { Segments, takerOf } from "../shared/segments.ts";
import { type SocketAdmission, RELAY_INTERVAL_MS, SessionSockets } from "../shared/session-sockets.ts";
import { Session, SETTLE_AFTER_MS } from "../shared/session.ts";
import { NO_UPLOAD, TOO_MANY_FOLLOWERS, type FollowResult } from "../upload/results.ts";
import { applyBatch, applyCompletedParts } from "./batch.ts";
import type { DescribedEntry, EntryRange } from "./described-entry.ts";
import { EntryWiper } from "./entry-wiper.ts";
import { entriesMissing, TransferFinalizer } from "./finalizer.ts";
import { describeEntries, listEntries } from "./listing.ts";
import { MultipartUploads } from "./multipart-uploads.ts";
import { segmentedObject, type SegmentedObject } from "./object.ts";
import { ObjectJoiner } from "./object-joiner.ts";
import { describeTransfer, partsToSign, transferPercent } from "./progress.ts";
import { ReadyList, type RemovalResult } from "./ready-list.ts";
import {
  NO_TRANSFER,
  TransferRejectedError,
  type BatchResult,
  type FinishResult,
  type PartsToSign,
  type PartTarget,
  type TransferRejection,
  type TransferResumeResult,
  type TransferStatus,
} from "./results.ts";
import * as state from "./state.ts";
import type { TransferRecord } from "./state.ts";
import { TransferStore } from "./store.ts";

const RULE: RateLimitRule = { by: "account", maxCalls: 20, windowMs: SECOND_MS };

/** Counts the batches of one transfer in memory. An eviction forgets only batches that are older than a second. */
class BatchRate {
  #calls: number[] = [];

  /** Counts one more batch. @param now epoch milliseconds @returns whether the limit allows the batch */
  take(now: number): boolean {
    const { calls, waitMs } = decideRateLimit(RULE, this.#calls, now);
    this.#calls = calls;
    return waitMs === 0;
  }
}

const TOO_MANY_BATCHES: TransferRejection = {
  ok: false,
  code: "RATE_LIMITED",
  localizedMessage: { group: "errors", name: "tooOftenSeconds", values: { count: 1 } },
  retryAfterSeconds: 1,
};

/**
 * The only writer of one transfer's state, and of its list until the transfer's bytes are deleted. Only this object
 * asks R2 to complete or abort uploads of the transfer's objects. The object may be evicted at any await, so it stores
 * received data before it acknowledges the data.
 */
export class TransferSession extends Session<
  state.TransferRecord,
  FinishResult,
  TransferProgress,
  "verify" | "objects"
> {
  protected override readonly store = new TransferStore(this.ctx.storage);
  readonly #bucket = openBucket(this.env.BUCKET);
  protected override readonly sockets = new TransferSockets(this.ctx, this.env);
  readonly #segments = new Segments<SegmentedObject>({
    bucket: this.#bucket,
    store: this.store.objects.segments,
    fileOf: (segment) => this.#fileOf(segment),
    completedParts: ({ object }, first, last) => this.store.objects.completedParts(object, first, last),
    onJoined: (file) => {
      this.#objectJoiner?.settle(file);
      this.#followers.wake();
    },
    forget: ({ object }, first, last) => this.#forget(object, first, last),
  });
  readonly #uploads = new MultipartUploads({ bucket: this.#bucket, store: this.store, segments: this.#segments });
  readonly #followers = new Followers();
  readonly #rate = new BatchRate();
  #joiner: ObjectJoiner | null = null;
  readonly #readyList = new ReadyList({
    db: openDatabase(this.env.DB),
    list: this.store.list,
    wake: () => void this.ctx.storage.setAlarm(Date.now() + SETTLE_AFTER_MS),
    onRemoved: (n) => this.pictures.drop([n]),
  });
  readonly #wiper = new EntryWiper({ bucket: this.#bucket, store: this.store });
  protected override readonly finalizer = new TransferFinalizer({
    bucket: this.#bucket,
    db: openDatabase(this.env.DB),
    store: this.store,
    uploads: this.#uploads,
    manifest: this.manifest,
    readyList: this.#readyList,
    webhooks: this.env.WEBHOOKS,
    checks: this.env.CHECKS,
    isScanned: this.env.SCAN !== "off",
    refusedKinds: parseKinds(this.env.REFUSED_KINDS) ?? [],
    save: (record) => this.save(record),
    waitUntil: (work) => this.ctx.waitUntil(work),
    workOnObjects: () => this.#workOnObjects(),
    hasObjectWork: () => this.#hasObjectWork(),
  });

  /**
   * Starts the transfer. Idempotent.
   * @param batch the first batch
   * @param manifest the first encrypted list of a sealed transfer
   */
  async start(plan: state.TransferPlan, batch: TransferBatch, manifest: string | null = null): Promise<BatchResult> {
    if (!this.store.find()) {
      this.store.create(plan.isSealed === true);
      if (manifest !== null) this.manifest.begin(manifest);
      this.save(state.newTransferRecord(plan, Date.now()));
    }
    return this.batch(batch);
  }

  /** Applies a batch, and creates the multipart uploads of new objects. Idempotent. */
  async batch(batch: TransferBatch): Promise<BatchResult> {
    if (this.env.RATE_LIMITS !== "off" && !this.#rate.take(Date.now())) return TOO_MANY_BATCHES;
    const applied = this.#change((record) => applyBatch(this.store, record, batch, Date.now()));
    if (!applied.ok) return applied;
    if (batch.remove.length > 0) this.#dropPictures(batch.remove);
    const opened = batch.open.map(({ object }) => object);
    const asked = new Map<number, Set<number>>();
    for (const { object, parts } of batch.sign) asked.set(object, new Set([...(asked.get(object) ?? []), ...parts]));
    const find = (number: number) => this.store.objects.find(number) ?? [];
    const wanted = partsToSign(opened.flatMap(find), asked);
    // Creates multipart uploads outside the transaction, because a transaction cannot wait for storage.
    if (!(await this.#uploads.create(wanted))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    this.ctx.waitUntil(this.#workOnObjects());
    const record = this.store.find();
    if (!record) return NO_TRANSFER;
    return {
      ok: true,
      state: describeTransfer(this.store, record),
      opened: opened
        .flatMap(find)
        .map(({ object, partSizeBytes, partCount }) => ({ object, partSizeBytes, partCount })),
      toSign: Array.from(wanted).flatMap(([number, parts]): PartsToSign[] => {
        const object = this.store.objects.find(number);
        if (!object) return [];
        const { sizeBytes, partSizeBytes } = object;
        return [{ object: number, uploads: this.#uploads.takersOf(object), sizeBytes, partSizeBytes, parts }];
      }),
    };
  }

  /** Resumes an unfinished transfer, on this or another device. */
  resume(lifetime: Omit<Lifetime, "sizeBytes">): TransferResumeResult {
    const completing = this.store.find();
    if (completing?.phase === "completing") return this.#resumed(completing);
    const resumed = this.#change((record) => state.recordResumed(state.changeLifetime(record, lifetime), Date.now()));
    return resumed.ok ? this.#resumed(resumed.record) : resumed;
  }

  #resumed(record: state.TransferRecord): TransferResumeResult {
    const described = describeTransfer(this.store, record);
    if (record.plan.isSealed) return { ok: true, state: described, marks: this.store.objects.marks() };
    const { objects } = this.store;
    const sums = objects.sums();
    const received = described.received.map((item) => {
      const { partSizeBytes } = objects.find(item.object) ?? {};
      const ofObject = sums.get(item.object);
      return ofObject && partSizeBytes !== undefined ? { ...item, sums: ofObject, partSizeBytes } : item;
    });
    return { ok: true, state: { ...described, received } };
  }

  /** Says where the Worker stores a part that is sent through the Worker. */
  async partTarget(object: number, part: number): Promise<PartTarget> {
    const open = this.#requireOpen();
    if (!open.ok) return open;
    if (!(await this.#uploads.create(new Map([[object, [part]]])))) return { ok: false, code: "STORAGE_UNAVAILABLE" };
    const found = this.store.objects.find(object);
    const upload = found && takerOf(this.#uploads.takersOf(found), part);
    const storedEtag = (found && this.#uploads.closedPart(found, part)?.etag) ?? null;
    if (!found || (!upload && storedEtag === null)) {
      return { ok: false, code: "BAD_REQUEST", message: `There is no part ${part} of object ${object} to send.` };
    }
    const lengthBytes = partLength(found.sizeBytes, part, found.partSizeBytes);
    return { ok: true, lengthBytes, upload: upload ?? null, storedEtag };
  }

  /**
   * Tells a reader how far an entry in segments can be read, as `UploadSession.follow` does for a single file. The entry is
   * ready once it is stored. @param object of the first argument: the number of the first object that the reader reads of entry `n`
   */
  async follow(
    { fileId, n, object }: { fileId: string; n: number; object: number },
    response: string,
    from: number,
    waitMs = FOLLOW_WAIT_MS,
  ): Promise<FollowResult> {
    if (!this.#followers.admit(response, Date.now())) return TOO_MANY_FOLLOWERS;
    const until = Date.now() + waitMs;
    for (;;) {
      const record = this.store.find();
      const isOpen = record !== null && !state.isSettled(record);
      const [entry] = isOpen ? describeEntries(this.store, [n]) : await this.#locateReady(fileId, [n]);
      if (!entry) return NO_UPLOAD;
      if (entry.state === "removed") return { ok: false, code: "FILE_EXPIRED" };
      const file = this.#fileOf(object);
      const isSame = entry.object === object;
      if (isSame && entry.state === "stored") return { ok: true, isReady: true, storedTo: entry.sizeBytes };
      // The sender gave up what was stored, and begins anew.
      if (!isSame || !isOpen || !file) return { ok: false, code: "UPLOAD_UNFINISHED" };
      const storedTo = this.store.objects.segments.storedTo(file, from);
      const now = Date.now();
      if (storedTo > from || now >= until || state.isSilent(record, now)) return { ok: true, isReady: false, storedTo };
      await this.#followers.wait(until - now);
    }
  }

  /** Makes room for another reader. */
  unfollow(response: string): void {
    this.#followers.leave(response);
  }

  /** Finishes the transfer. Idempotent; parallel calls share one completion. */
  async finish(receipts: CompletedObjectPart[]): Promise<FinishResult> {
    const record = this.store.find();
    if (!record) return NO_TRANSFER;
    if (record.phase === "ready" && record.finished) {
      return { ok: true, ...record.finished, expiresAt: record.expiresAt };
    }
    if (record.phase !== "completing") {
      const begun = this.#change((open) => applyCompletedParts(this.store, open, receipts, Date.now()));
      if (!begun.ok) return begun;
      this.ctx.waitUntil(this.#workOnObjects());
      const { index, objects } = this.store;
      if (index.removedCount === index.count) {
        return { ok: false, code: "BAD_REQUEST", message: "This transfer has no files yet." };
      }
      const { stored, joining } = objects.overview;
      const missing = index.missingIn(new Set([...stored, ...joining]));
      if (missing.length > 0) return entriesMissing(missing);
      this.save(state.startCompleting(begun.record, Date.now()));
    }
    return this.completeOnce();
  }

  /** @returns null if this object has no record of the transfer */
  status(): TransferStatus | null {
    const record = this.store.find();
    if (!record) return null;
    return this.#statusOf(record);
  }

  /** Lists entries of an unfinished or a ready transfer. `total` is the number of entries in the whole transfer. */
  async list(fileId: string, range: EntryRange): Promise<{ entries: DescribedEntry[]; total: number }> {
    const { entries, total } = await this.#list(fileId, range);
    const pictures = new Map(this.pictures.list(entries.map(({ n }) => n)));
    const withPicture = (entry: DescribedEntry, picture = pictures.get(entry.n)) =>
      picture ? { ...entry, picture } : entry;
    return { entries: entries.map((entry) => withPicture(entry)), total };
  }

  async #list(fileId: string, range: EntryRange): Promise<{ entries: DescribedEntry[]; total: number }> {
    if (this.#isUnfinished()) return listEntries(this.store, range);
    const list = await this.#readyList.find(fileId);
    if (!list) return { entries: [], total: 0 };
    return { entries: this.store.list.list(range), total: range.withRemoved ? list.count : list.present };
  }

  /** Finds where the bytes of entries are stored. @param numbers ascending @returns the entries among these numbers */
  async locate(fileId: string, numbers: number[]): Promise<DescribedEntry[]> {
    if (this.#isUnfinished()) return describeEntries(this.store, numbers);
    return this.#locateReady(fileId, numbers);
  }

  /** Finds entries of a ready transfer. @returns none for a transfer that was cancelled or has failed */
  async #locateReady(fileId: string, numbers: number[]): Promise<DescribedEntry[]> {
    return (await this.#readyList.find(fileId)) ? this.store.list.locate(numbers) : [];
  }

  /** The whole list of a ready transfer. @returns pages for `decodePlaces`; none once the list is deleted */
  pages(fileId: string): Promise<string[]> {
    return this.#readyList.readPages(fileId);
  }

  /** Removes an entry of a ready transfer. Idempotent. @param now epoch milliseconds */
  async remove(fileId: string, n: number, now: number): Promise<RemovalResult> {
    if (this.store.find()?.phase === "completing") await this.completeOnce();
    try {
      const removed = await this.#readyList.remove(fileId, n, now);
      await this.settlePictures();
      return removed;
    } catch (error) {
      logError("transfer.removal_failed", error, { fileId, n });
      return { kind: "failed" };
    }
  }

  /**
   * Writes the row of a ready transfer anew, after D1 was restored. Idempotent.
   * @param etag the ETag that the row has
   */
  rewriteRow(fileId: string, etag: string): Promise<void> {
    return this.#readyList.rewriteRow(fileId, etag);
  }

  /** Moves a list that still stands in D1 into this object. Idempotent. */
  move(fileId: string): Promise<void> {
    return this.#readyList.move(fileId);
  }

  override async alarm(): Promise<void> {
    try {
      await this.#readyList.settle();
    } catch (error) {
      logError("transfer.list_not_settled", error);
      await this.ctx.storage.setAlarm(Date.now() + SETTLE_AFTER_MS);
      return;
    }
    await super.alarm();
  }

  protected override acceptSocket(admission: SocketAdmission, record: state.TransferRecord): WebSocket {
    return this.sockets.accept(admission, record, this.#statusOf(record));
  }

  protected override nextTask(record: state.TransferRecord, now: number) {
    const next = state.nextAlarmTask(record, this.#hasObjectWork(), now);
    return this.#readyList.isUnsettled ? { ...next, at: Math.min(next.at, now + SETTLE_AFTER_MS) } : next;
  }

  protected override hasEntry(n: number): boolean {
    const { index, list } = this.store;
    if (this.#isUnfinished()) return n < index.count && !index.isRemoved(n);
    return list.find() !== null && list.locate([n])[0]?.state === "stored";
  }

  protected override async work(record: state.TransferRecord, task: "verify" | "objects"): Promise<void> {
    if (task === "verify") return this.finalizer.verify(record);
    await this.#workOnObjects();
    this.save(this.store.find() ?? record);
  }

  /** Wakes the readers also when their entry was removed, or its object dropped. */
  protected override save(record: state.TransferRecord): void {
    super.save(record);
    this.#followers.wake();
  }

  protected override receiveMessage(socket: WebSocket, progress: TransferProgress): void {
    this.sockets.relayProgress(socket, progress);
  }

  #statusOf(record: state.TransferRecord): TransferStatus {
    const described = describeTransfer(this.store, record);
    const pictures = this.pictures.count;
    return { ...described, progress: transferPercent(this.store, record, described), pictures };
  }

  async #workOnObjects(): Promise<void> {
    const record = this.store.find();
    if (!record) return;
    await this.#objectJoiner?.start();
    await this.#uploads.discardUnused();
    await this.#wiper.wipe(record.plan.fileId);
  }

  /** @returns null without a record of the transfer */
  get #objectJoiner(): ObjectJoiner | null {
    const record = this.store.find();
    if (!record) return null;
    this.#joiner ??= new ObjectJoiner({
      bucket: this.#bucket,
      store: this.store,
      segments: this.#segments,
      fileId: record.plan.fileId,
      isSealed: record.plan.isSealed === true,
      onStored: ({ runs }) => this.sockets.announceStored(runs),
    });
    return this.#joiner;
  }

  /** @returns null once the segment's object takes no more parts */
  #fileOf(segment: number): SegmentedObject | null {
    const record = this.store.find();
    const object = record && this.store.objects.findByStored(segment);
    const takesParts = object?.phase === "open" || object?.phase === "joining";
    return takesParts ? segmentedObject(record?.plan.fileId ?? "", object) : null;
  }

  /** Forgets parts of an object that R2 lacks. */
  #forget(number: number, first: number, last: number): boolean {
    const { objects } = this.store;
    const object = objects.find(number);
    if (!object) return false;
    objects.deleteCompletedParts(number, first, last);
    if (object.phase === "joining") objects.save({ ...object, phase: "open" });
    return true;
  }

  #dropPictures(numbers: readonly number[]): void {
    this.pictures.drop(numbers);
    this.ctx.waitUntil(this.settlePictures());
  }

  #isUnfinished(): boolean {
    const record = this.store.find();
    return record !== null && record.phase !== "ready";
  }

  #hasObjectWork(): boolean {
    return this.store.objects.overview.hasWork || this.#segments.hasWork || this.#wiper.isDue;
  }

  /** Makes a change in a transaction and saves the record. A rejected change leaves everything as it was. */
  #change(
    change: (record: state.TransferRecord) => state.TransferRecord,
  ): { ok: true; record: state.TransferRecord } | TransferRejection {
    const open = this.#requireOpen();
    if (!open.ok) return open;
    try {
      const record = this.store.transaction(() => {
        const changed = change(open.record);
        this.save(changed);
        return changed;
      });
      return { ok: true, record };
    } catch (error) {
      if (error instanceof TransferRejectedError) return error.rejection;
      throw error;
    }
  }

  #requireOpen(): { ok: true; record: state.TransferRecord } | TransferRejection {
    const record = this.store.find();
    if (!record) return NO_TRANSFER;
    if (record.phase === "completing") return { ok: false, code: "UPLOAD_COMPLETING" };
    if (!state.isSettled(record)) return { ok: true, record };
    return { ok: false, code: record.phase === "ready" ? "UPLOAD_FINISHED" : closedCode(record.endCode) };
  }
}

/** The sockets of a transfer. Stored entries are sent as runs, not one message for each file. */
class TransferSockets extends SessionSockets<TransferProgress, TransferProgress> {
  #stored: Run[] = [];
  #nextStored: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, transferProgress);
  }

  /** @returns the client's end */
  accept(admission: SocketAdmission, { phase, plan }: TransferRecord, status: TransferStatus): WebSocket {
    const { entries, stored, progress: percent, pictures } = status;
    const state: TransferMessage = {
      type: "transfer_state",
      entries,
      bytes: plan.lifetime.sizeBytes,
      stored,
      percent: this.lastRelayed?.percent ?? percent,
      ...(pictures > 0 && { pictures }),
    };
    return this.open(admission, [state], phase);
  }

  relayProgress(sender: WebSocket, progress: TransferProgress): void {
    this.relay(progress, sender);
  }

  /** Sends newly stored entries to all sockets, including the sender's, at most ten times a second. */
  announceStored(runs: Runs): void {
    if (this.isEmpty) return;
    this.#stored = addRuns(this.#stored, runs);
    if (this.#nextStored !== undefined) return;
    this.#nextStored = setTimeout(() => {
      this.#nextStored = undefined;
      this.broadcast({ type: "entries_stored", runs: this.#stored } satisfies TransferMessage);
      this.#stored = [];
    }, RELAY_INTERVAL_MS);
  }
}
