import type { Runs } from "#domain/transfers/runs.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { TransferBatch, TransferBatchAnswer, CompletedObjectPart } from "#domain/wire.ts";
import { Concurrency } from "../concurrency.ts";
import { UploadError } from "../errors.ts";
import type { ReadAnswer, ReadFailure, ReadObject, ObjectRequest } from "../read-messages.ts";
import { onceSoon } from "../timing.ts";
import { MAX_RETRIES } from "../upload-step.ts";
import type { EntrySources } from "./entry-sources.ts";
import { ObjectParts, type ObjectPartsOptions } from "./object-parts.ts";
import { ObjectPlanner } from "./object-planner.ts";
import { ObjectReader } from "./object-reader.ts";
import { PartPipeline, type PartJob } from "./part-pipeline.ts";
import { SendingObject } from "./sending-object.ts";
import type { TransferEntries } from "./transfer-entries.ts";

/** The number of objects that are opened in advance, so that none waits for a batch. */
const OPENED_AHEAD = 12;
/** The speed is measured during a pack after this time, and not only at its end. */
const MEASURE_AFTER_MS = 10 * SECOND_MS;

interface Options extends Pick<
  ObjectPartsOptions,
  "ports" | "queue" | "downloadId" | "signal" | "record" | "onTransport"
> {
  entries: TransferEntries;
  sources: EntrySources;
  read(request: ObjectRequest, object: ReadObject): Promise<ReadAnswer>;
  /** Called when a shown value has changed, or something was queued. */
  onChange(): void;
  onError(error: unknown): void;
}

/** Sends the bytes of waiting entries: plans objects, opens them in advance, reads and sends their parts. */
export class ObjectSender {
  readonly #options: Options;
  readonly #concurrency = new Concurrency();
  readonly #planner: ObjectPlanner;
  readonly #reader: ObjectReader;
  readonly #pipeline: PartPipeline;
  readonly #parts: ObjectParts;
  readonly #resends: Resends;
  /** The objects that are not stored yet, in the order of sending. */
  readonly #objects = new Map<number, SendingObject>();
  /** The objects with parts that are not read yet. */
  #unread: SendingObject[] = [];
  #nextObject = 0;
  readonly #pumpSoon = onceSoon(() => this.pump());

  constructor(options: Options) {
    this.#options = options;
    const { entries, sources, record, onError } = options;
    this.#planner = new ObjectPlanner(() => entries.listWaiting());
    this.#reader = new ObjectReader(sources, options.read, options.ports);
    this.#resends = new Resends(entries, sources);
    const find = (object: number) => this.#objects.get(object);
    this.#parts = new ObjectParts({ ...options, concurrency: this.#concurrency, find });
    this.#pipeline = new PartPipeline({
      take: (maxBytes) => this.#takePart(maxBytes),
      read: (job) => this.#read(job),
      send: (job, read) => this.#send(job, read),
      limit: () => this.#concurrency.limit,
      record,
      onError,
    });
  }

  get waitsForFiles(): boolean {
    return this.#pipeline.waitsForReading;
  }

  /** Plans, reads and sends waiting entries. */
  pump(): void {
    if (this.#options.signal.aborted) return;
    this.#openAhead();
    this.#pipeline.pump();
  }

  /** Plans again. Call it when entries began to wait or were removed; many calls cause one plan. */
  replan(): void {
    this.#planner.invalidate();
    this.#pumpSoon();
  }

  /** The objects that are partly sent. */
  *moving(): Generator<SendingObject> {
    for (const object of this.#objects.values()) if (!object.isSent && object.sentBytes > 0) yield object;
  }

  sentBytesOf(object: number): number {
    return this.#objects.get(object)?.sentBytes ?? 0;
  }

  /** Forgets all objects, because a resumed transfer has its own. @param nextObject the first unused number */
  reset(nextObject: number): void {
    for (const object of this.#objects.values()) this.#end(object);
    this.#nextObject = nextObject;
    this.#reader.reset();
    this.#resends.clear();
    this.#planner.invalidate();
  }

  /** Opens an object, also one that was opened on another device. @param received parts that storage has */
  open(number: number, numbers: readonly number[], received: Runs = []): void {
    const { entries, queue, onChange } = this.#options;
    let sizeBytes = 0;
    for (const n of numbers) {
      entries.assign(n, number, sizeBytes);
      if (entries.isIn(n, "waiting")) entries.setPhase(n, "planned");
      sizeBytes += entries.sizeBytes(n);
    }
    const object = new SendingObject(number, numbers, sizeBytes, received);
    this.#objects.set(number, object);
    if (object.isSent) this.#finishObject(object);
    else this.#unread.push(object);
    queue.open(number, numbers, sizeBytes);
    onChange();
  }

  /** Takes over the answer to a batch. @param batch the batch that was answered */
  applyAnswer(batch: TransferBatch, answer: TransferBatchAnswer): void {
    const received = new Map(answer.received.map(({ object, parts }) => [object, parts]));
    for (const { object: number, ...plan } of answer.opened) {
      const object = this.#objects.get(number);
      if (!object) continue;
      object.open(plan, received.get(number));
      object.isOpened = true;
      if (object.isSent) this.#finishObject(object);
    }
    this.#parts.addAnswer(batch, answer);
    this.confirmReceipts(batch.receipts);
    this.markStored(answer.stored);
    // The stored bytes of these objects differ from the bytes that were read, so the entries are sent in other objects.
    for (const object of answer.again.flatMap((number) => this.#objects.get(number) ?? [])) {
      this.#forget(object);
      this.#resends.count(object.numbers);
    }
    for (const item of answer.received) this.#resendLost(item);
    this.pump();
  }

  /** Takes over completed parts that the server has stored. */
  confirmReceipts(receipts: readonly CompletedObjectPart[]): void {
    for (const { object } of receipts) {
      const sent = this.#objects.get(object);
      if (sent) sent.unacknowledged -= 1;
    }
  }

  markStored(runs: Runs): void {
    const { entries, onChange } = this.#options;
    const touched = new Set<number>();
    for (const [first, count] of runs) {
      for (let n = first; n < Math.min(first + count, entries.length); n += 1) {
        // An empty file waits until the server knows it.
        if (!entries.isIn(n, "waiting", "planned", "sending", "sent")) continue;
        entries.setPhase(n, "stored");
        touched.add(entries.objectOf(n) ?? -1);
      }
    }
    for (const number of touched) {
      const object = this.#objects.get(number);
      if (object?.numbers.every((n) => entries.isIn(n, "stored", "removed"))) this.#end(object);
    }
    if (touched.size > 0) onChange();
  }

  /** Sends parts again that the server does not have. @param answer of an empty batch */
  sendMissing(answer: TransferBatchAnswer): void {
    const known = new Set(answer.received.map(({ object }) => object));
    for (const object of this.#objects.values()) {
      if (object.isSent && !known.has(object.object)) this.#forget(object);
    }
    this.replan();
  }

  /** Marks large files that have changed since they were read. @returns whether there are any */
  async markChanged(): Promise<boolean> {
    const { entries, onChange } = this.#options;
    const changed = (await this.#reader.findChanged()).filter((n) => entries.isIn(n, "sent", "stored"));
    for (const n of changed) entries.setPhase(n, "changed");
    if (changed.length > 0) onChange();
    return changed.length > 0;
  }

  /** Stops sending an entry that was removed. A pack whose sending has begun goes on for its other files. */
  cease(n: number): void {
    const { entries } = this.#options;
    const object = this.#objects.get(entries.objectOf(n) ?? -1);
    const isNeeded = object?.numbers.some((other) => !entries.isIn(other, "removed"));
    if (object && !object.isSent && (object.isUntouched || isNeeded === false)) this.#drop(object);
    this.replan();
  }

  #openAhead(): void {
    const untouched = this.#unread.filter(({ isUntouched }) => isUntouched).length;
    // New objects are planned only when few are left, so that one batch opens several objects.
    if (untouched > OPENED_AHEAD / 2) return;
    for (let ahead = untouched; ahead < OPENED_AHEAD; ahead += 1) {
      const numbers = this.#planner.next();
      if (!numbers) return;
      this.open(this.#nextObject, numbers);
      this.#nextObject += 1;
    }
  }

  #takePart(maxBytes: number): PartJob | null {
    this.#openAhead();
    const object = this.#unread.find(({ nextPart }) => nextPart !== null);
    const part = object?.nextPart;
    if (!object || part == null || object.lengthOf(part) > maxBytes) return null;
    object.takePart();
    if (object.nextPart === null) this.#unread = this.#unread.filter((other) => other !== object);
    return { object, part };
  }

  async #read(job: PartJob): Promise<ReadAnswer | null> {
    const read = await this.#reader.read(job);
    if (job.object.isDropped) return null;
    if (read.failures.length === 0) return read;
    await this.#leaveOut(job, read.failures);
    return null;
  }

  /** Leaves out files that cannot be read. The other files of the pack are sent in another pack. */
  async #leaveOut({ object, part }: PartJob, failures: readonly ReadFailure[]): Promise<void> {
    const { entries, onChange } = this.#options;
    this.#drop(object);
    const failed = failures
      .map(({ index, error }) => ({ n: object.numbers[index] ?? -1, error }))
      .filter(({ n }) => !entries.isIn(n, "removed"));
    // The phase changes at once, so that the entries are not planned again.
    for (const { n } of failed) entries.setPhase(n, "unreadable");
    this.replan();
    await Promise.all(
      failed.map(async ({ n, error }) => {
        const state = await this.#reader.stateOf(n, error, part);
        if (entries.isIn(n, "unreadable")) entries.setPhase(n, state);
      }),
    );
    onChange();
  }

  async #send({ object, part }: PartJob, read: ReadAnswer): Promise<void> {
    const { queue, onChange } = this.#options;
    this.#options.entries.movePhases(object.numbers, ["planned"], "sending");
    const startMs = performance.now();
    const onProgress = (sentBytes: number) => {
      object.setSent(part, sentBytes);
      const ms = performance.now() - startMs;
      if (object.isPack && ms > MEASURE_AFTER_MS) this.#measure(sentBytes, ms);
      onChange();
    };
    const etag = await this.#parts.send(object, part, read.body, onProgress);
    if (object.isDropped) return;
    const endMs = performance.now();
    if (object.isPack) this.#measure(object.sizeBytes, endMs - startMs);
    this.#concurrency.recordSuccess(object.lengthOf(part), endMs);
    object.finishPart(part);
    object.unacknowledged += 1;
    queue.addReceipt({ object: object.object, part, etag, crc32: read.crc32, marks: read.marks });
    for (const n of object.numbers) if (read.sha256 !== null) queue.addSum(n, read.sha256);
    if (object.isSent) this.#finishObject(object);
    onChange();
  }

  #finishObject(object: SendingObject): void {
    this.#unread = this.#unread.filter((other) => other !== object);
    this.#options.entries.movePhases(object.numbers, ["planned", "sending"], "sent");
  }

  /** On a slow line, packs that are not being read yet are planned again with a smaller size. */
  #measure(bytes: number, ms: number): void {
    if (!this.#planner.measure({ bytes, seconds: ms / SECOND_MS })) return;
    for (const object of this.#unread) {
      if (object.isPack && object.isUntouched && object.numbers.length > 1) this.#drop(object);
    }
    this.replan();
  }

  #drop(object: SendingObject): void {
    this.#forget(object);
    this.#options.queue.drop(object.object);
  }

  /** Drops an object. Entries of the object wait again, unless they are removed or unreadable. */
  #forget(object: SendingObject): void {
    this.#end(object);
    this.#options.entries.unassign(object.numbers);
    this.#options.entries.movePhases(object.numbers, ["planned", "sending", "sent"], "waiting");
    this.#planner.invalidate();
    this.#options.onChange();
  }

  #end(object: SendingObject): void {
    object.isDropped = true;
    this.#parts.cancel(object);
    this.#objects.delete(object.object);
    this.#unread = this.#unread.filter((other) => other !== object);
  }

  /** Sends parts again that storage has lost. The server has forgotten such parts. */
  #resendLost({ object: number, parts }: TransferBatchAnswer["received"][number]): void {
    const object = this.#objects.get(number);
    if (!object?.isSent || object.unacknowledged > 0 || !object.resend(parts)) return;
    if (this.#resends.count(object.numbers)) this.#drop(object);
    else {
      this.#unread.push(object);
      this.#options.entries.movePhases(object.numbers, ["sent"], "sending");
    }
  }
}

/** Counts how often files were sent without success. */
class Resends {
  readonly #entries: TransferEntries;
  readonly #sources: EntrySources;
  readonly #counts = new Map<number, number>();

  constructor(entries: TransferEntries, sources: EntrySources) {
    this.#entries = entries;
    this.#sources = sources;
  }

  /**
   * Counts one more attempt. The person decides about files that were sent too often.
   * @returns whether there are such files
   */
  count(numbers: readonly number[]): boolean {
    let isOver = false;
    for (const n of numbers) {
      const count = (this.#counts.get(n) ?? 0) + 1;
      this.#counts.set(n, count);
      if (count <= MAX_RETRIES || this.#entries.isIn(n, "removed")) continue;
      isOver = true;
      const entry = this.#sources.get(n);
      if (entry) this.#sources.offer(n, entry);
      this.#entries.setPhase(n, "unreadable", new UploadError({ code: "notArrived", count }));
    }
    return isOver;
  }

  /** Forgets all counts, because a resumed transfer has numbers of its own. */
  clear(): void {
    this.#counts.clear();
  }
}
