import { planSegments } from "#domain/segments.ts";
import type { CompletedPart } from "#domain/wire.ts";
import { logError } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { abortMultipart, completeMultipart, createMultipart, deleteManyObjects } from "#worker/storage/objects.ts";
import { JoinQueue } from "../shared/join-queue.ts";
import type { MultipartUpload } from "./results.ts";
import { isSettled, needsMarks, partsOf, type UploadRecord } from "./state.ts";
import type { UploadStore } from "./store.ts";

/**
 * "open": R2 has a multipart upload for the segment. "joining": all its parts are completed. "stored": the segment can be
 * read, and never changes again. "unjoinable": R2 cannot join the parts, so the upload has to end.
 */
type SegmentPhase = "open" | "joining" | "stored" | "unjoinable";

/** A segment that was opened. */
interface OpenedSegment {
  segment: number;
  phase: SegmentPhase;
  r2UploadId: string;
}

/** The parts of the file that become one object. */
interface PlannedSegment {
  firstPart: number;
  partCount: number;
  sizeBytes: number;
}

interface Dependencies {
  sql: SqlStorage;
  bucket: R2Bucket;
  store: UploadStore;
  /** Called when one more segment can be read. */
  onStored(): void;
  /**
   * Forgets parts that R2 lacks, so that their sender sends them again. @param first and `last`: parts @returns false if
   * the sender cannot
   */
  forget(record: UploadRecord, first: number, last: number): boolean;
}

/**
 * The segments of a file that is stored as several objects (decision 055). Each one is a multipart upload that is
 * completed as soon as its parts are there.
 */
export class Segments {
  readonly #deps: Dependencies;
  readonly #sql: SqlStorage;
  readonly #opening = new Map<number, Promise<void>>();
  readonly #queue: JoinQueue;
  #plan: PlannedSegment[] | null = null;
  /** By their numbers. Null until they are read from SQLite, after a start or an eviction. */
  #opened: Map<number, OpenedSegment> | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#sql = deps.sql;
    this.#queue = new JoinQueue({
      waiting: () => (this.#openRecord() ? this.#numbers("joining") : []),
      join: (segment) => this.#join(segment),
      onFailed: (segment, error) =>
        logError("upload.join_failed", error, { uploadId: deps.store.find()?.plan.fileId, segment }),
    });
  }

  create(): void {
    this.#sql.exec(
      "create table if not exists segments (segment integer primary key, phase text not null, r2_upload_id text not null)",
    );
  }

  /**
   * Opens the segments of parts. @returns the multipart uploads that take these parts; none for a part whose segment is
   * closed @throws Error when R2 does not answer
   */
  async open(record: UploadRecord, parts: readonly number[]): Promise<MultipartUpload[]> {
    const wanted = [...new Set(parts.map((part) => this.#segmentOf(record, part)))];
    await Promise.all(wanted.map((segment) => this.#openOnce(record, segment)));
    return this.#rows("open")
      .filter(({ segment }) => wanted.includes(segment))
      .map(({ segment, r2UploadId }) => {
        const { firstPart, partCount } = this.#planned(record, segment);
        return { key: numberedKey(record.plan.fileId, segment), r2UploadId, firstPart, partCount };
      });
  }

  /** Sorts parts by whether their segments take parts, or take no more. Leaves out parts that have no segment yet. */
  sort<Part extends { part: number }>(record: UploadRecord, parts: readonly Part[]): { open: Part[]; closed: Part[] } {
    const sorted: { open: Part[]; closed: Part[] } = { open: [], closed: [] };
    for (const part of parts) {
      const phase = this.#all.get(this.#segmentOf(record, part.part))?.phase;
      if (phase !== undefined) sorted[phase === "open" ? "open" : "closed"].push(part);
    }
    return sorted;
  }

  /**
   * Whether receipts have other sums, or for a sealed upload other marks, than the parts of closed segments. A part
   * without a sum contradicts nothing.
   */
  areContradicted(record: UploadRecord, receipts: readonly CompletedPart[]): boolean {
    const { closed } = this.sort(record, receipts);
    if (closed.length === 0) return false;
    const { store } = this.#deps;
    const sums = new Map(store.sums().map(({ part, crc32 }) => [part, crc32]));
    const marks = new Map(needsMarks(record) ? store.marks().map(({ part, mark }) => [part, mark]) : []);
    const isOther = (stored?: string, told?: string) => stored !== undefined && told !== undefined && stored !== told;
    return closed.some(({ part, crc32, mark }) => isOther(sums.get(part), crc32) || isOther(marks.get(part), mark));
  }

  /** Closes the open segments whose parts are all completed. @param parts that were stored just now */
  close(record: UploadRecord, parts: readonly number[]): void {
    for (const segment of new Set(parts.map((part) => this.#segmentOf(record, part)))) {
      if (this.#all.get(segment)?.phase !== "open") continue;
      const { firstPart, partCount } = this.#planned(record, segment);
      const isComplete = this.#deps.store.completedParts(firstPart, firstPart + partCount - 1).length === partCount;
      if (isComplete) this.#setPhase(segment, "joining");
    }
  }

  /** Completes the closed segments in R2. @returns settles when no join is running */
  join(): Promise<void> {
    return this.#queue.start();
  }

  /** Whether segments wait to be joined. */
  get hasWork(): boolean {
    return this.#numbers("joining").length > 0;
  }

  get isUnjoinable(): boolean {
    return this.#numbers("unjoinable").length > 0;
  }

  /** @param from a position in the file @returns the end of the bytes from there on that can be read without a gap */
  storedTo(record: UploadRecord, from: number): number {
    let start = 0;
    for (const [segment, { sizeBytes }] of this.#planOf(record).entries()) {
      const end = start + sizeBytes;
      if (end > from && this.#all.get(segment)?.phase !== "stored") return Math.max(start, from);
      start = end;
    }
    return start;
  }

  /** Aborts the multipart uploads of segments that are not stored. Idempotent. */
  async abort({ plan: { fileId } }: UploadRecord): Promise<void> {
    await this.#queue.settled();
    await Promise.all(
      this.#rows("open", "joining", "unjoinable").map(({ segment, r2UploadId }) =>
        abortMultipart(this.#deps.bucket, numberedKey(fileId, segment), r2UploadId),
      ),
    );
  }

  /** Deletes the objects of all segments. Idempotent. */
  async delete(record: UploadRecord): Promise<void> {
    const keys = this.#planOf(record).map((_, segment) => numberedKey(record.plan.fileId, segment));
    await deleteManyObjects(this.#deps.bucket, keys);
  }

  #openOnce(record: UploadRecord, segment: number): Promise<void> {
    if (this.#all.has(segment)) return Promise.resolve();
    const running = this.#opening.get(segment);
    if (running) return running;
    const opening = this.#create(record, segment).finally(() => this.#opening.delete(segment));
    this.#opening.set(segment, opening);
    return opening;
  }

  async #create({ plan: { fileId, contentType } }: UploadRecord, segment: number): Promise<void> {
    const { bucket } = this.#deps;
    const key = numberedKey(fileId, segment);
    const r2UploadId = await createMultipart(bucket, key, contentType);
    if (this.#openRecord()) {
      this.#sql.exec("insert into segments values (?, 'open', ?)", segment, r2UploadId);
      this.#all.set(segment, { segment, phase: "open", r2UploadId });
    } else await abortMultipart(bucket, key, r2UploadId);
  }

  async #join(segment: number): Promise<void> {
    const { bucket, store, onStored, forget } = this.#deps;
    const record = this.#openRecord();
    const opened = this.#all.get(segment);
    if (!record || opened?.phase !== "joining") return;
    const { firstPart, partCount, sizeBytes } = this.#planned(record, segment);
    const lastPart = firstPart + partCount - 1;
    const completed = store.completedParts(firstPart, lastPart);
    const receipts = completed.map(({ part, etag }) => ({ part: part - firstPart + 1, etag }));
    const key = numberedKey(record.plan.fileId, segment);
    const stored = await completeMultipart(bucket, key, opened.r2UploadId, receipts);
    if (stored === "invalid-parts") {
      this.#setPhase(segment, forget(record, firstPart, lastPart) ? "open" : "unjoinable");
    } else if (stored?.sizeBytes === sizeBytes) {
      this.#setPhase(segment, "stored");
      onStored();
    } else this.#setPhase(segment, "unjoinable");
  }

  /** @returns null once the upload has ended */
  #openRecord(): UploadRecord | null {
    const record = this.#deps.store.find();
    return record && !isSettled(record) ? record : null;
  }

  #planOf(record: UploadRecord): PlannedSegment[] {
    this.#plan ??= layOut(record);
    return this.#plan;
  }

  #planned(record: UploadRecord, segment: number): PlannedSegment {
    const planned = this.#planOf(record)[segment];
    if (!planned) throw new Error(`upload ${record.plan.fileId} has no segment ${segment}`);
    return planned;
  }

  #segmentOf(record: UploadRecord, part: number): number {
    const { partCount } = partsOf(record);
    if (part > partCount) return -1;
    return this.#planOf(record).findLastIndex(({ firstPart }) => firstPart <= part);
  }

  get #all(): Map<number, OpenedSegment> {
    this.#opened ??= new Map(
      this.#sql
        .exec<{ segment: number; phase: SegmentPhase; id: string }>(
          "select segment, phase, r2_upload_id as id from segments",
        )
        .toArray()
        .map(({ segment, phase, id: r2UploadId }) => [segment, { segment, phase, r2UploadId }]),
    );
    return this.#opened;
  }

  #rows(...phases: SegmentPhase[]): OpenedSegment[] {
    return [...this.#all.values()].filter(({ phase }) => phases.includes(phase)).sort((a, b) => a.segment - b.segment);
  }

  #numbers(...phases: SegmentPhase[]): number[] {
    return this.#rows(...phases).map(({ segment }) => segment);
  }

  #setPhase(segment: number, phase: SegmentPhase): void {
    this.#sql.exec("update segments set phase = ? where segment = ?", phase, segment);
    const opened = this.#all.get(segment);
    if (opened) opened.phase = phase;
  }
}

function layOut(record: UploadRecord): PlannedSegment[] {
  const { partSizeBytes, partCount: parts } = partsOf(record);
  const { sizeBytes } = record.plan.lifetime;
  let firstPart = 1;
  return planSegments(parts).map((partCount) => {
    const start = (firstPart - 1) * partSizeBytes;
    const segment = { firstPart, partCount, sizeBytes: Math.min(partCount * partSizeBytes, sizeBytes - start) };
    firstPart += partCount;
    return segment;
  });
}
