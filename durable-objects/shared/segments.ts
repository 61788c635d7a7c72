import { logError } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  deleteManyObjects,
  type PartEtag,
} from "#worker/storage/objects.ts";
import { JoinQueue } from "./join-queue.ts";
import type { SegmentedFile, SegmentStore } from "./segment-store.ts";

/** A multipart upload in R2 that takes parts of a file: `firstPart` is its part 1. */
export interface MultipartUpload {
  key: string;
  r2UploadId: string;
  firstPart: number;
  partCount: number;
}

/** @returns the multipart upload that takes the part */
export function takerOf(uploads: readonly MultipartUpload[], part: number): MultipartUpload | undefined {
  return uploads.find(({ firstPart, partCount }) => part >= firstPart && part < firstPart + partCount);
}

interface Dependencies<File extends SegmentedFile> {
  bucket: R2Bucket;
  store: SegmentStore;
  /** @returns the file of a segment; null once the file takes no more parts */
  fileOf(segment: number): File | null;
  /** The completed parts from `first` to `last`, in their order. */
  completedParts(file: File, first: number, last: number): PartEtag[];
  /** Called when a segment of the file can be read, and when R2 could not join it. */
  onJoined(file: File): void;
  /**
   * Forgets parts that R2 lacks, so that their sender sends them again. @param first and `last`: parts @returns false if
   * the sender cannot
   */
  forget(file: File, first: number, last: number): boolean;
}

/** Opens and joins the segments of files that are stored as several objects (decision 055). */
export class Segments<File extends SegmentedFile> {
  readonly #deps: Dependencies<File>;
  readonly #opening = new Map<number, Promise<void>>();
  readonly #queue: JoinQueue;

  constructor(deps: Dependencies<File>) {
    this.#deps = deps;
    this.#queue = new JoinQueue({
      waiting: () => this.#numbers("joining").filter((segment) => deps.fileOf(segment) !== null),
      join: (segment) => this.#join(segment),
      onFailed: (segment, error) =>
        logError("upload.join_failed", error, { uploadId: deps.fileOf(segment)?.fileId, segment }),
    });
  }

  /**
   * Opens the segments of parts. @returns the multipart uploads that take these parts; none for a part whose segment is
   * closed @throws Error when R2 does not answer
   */
  async open(file: File, parts: readonly number[]): Promise<MultipartUpload[]> {
    const { store } = this.#deps;
    const wanted = [...new Set(parts.map((part) => store.segmentOf(file, part)))];
    await Promise.all(wanted.map((segment) => this.#openOnce(file, segment)));
    return this.takers(file, wanted);
  }

  /** @param wanted segments; by default all @returns the multipart uploads that take parts of the file now */
  takers(file: File, wanted?: readonly number[]): MultipartUpload[] {
    const { store } = this.#deps;
    return store
      .listOf(file)
      .filter(({ segment, phase }) => phase === "open" && (wanted?.includes(segment) ?? true))
      .map(({ segment, r2UploadId }) => {
        const { firstPart, partCount } = store.planned(file, segment);
        return { key: numberedKey(file.fileId, segment), r2UploadId, firstPart, partCount };
      });
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

  /** Aborts the multipart uploads of the file's segments that are not stored. Idempotent. */
  async abort(file: SegmentedFile): Promise<void> {
    await this.#queue.settled();
    await Promise.all(
      this.#deps.store
        .listOf(file)
        .filter(({ phase }) => phase !== "stored")
        .map(({ segment, r2UploadId }) =>
          abortMultipart(this.#deps.bucket, numberedKey(file.fileId, segment), r2UploadId),
        ),
    );
  }

  /** Deletes the objects of all segments of the file. Idempotent. */
  async delete(file: SegmentedFile): Promise<void> {
    const keys = this.#deps.store.planOf(file).map(({ segment }) => numberedKey(file.fileId, segment));
    await deleteManyObjects(this.#deps.bucket, keys);
  }

  /** Deletes what storage has of a file that takes no more parts, and forgets its segments. Idempotent. */
  async discard(file: SegmentedFile): Promise<void> {
    const { store } = this.#deps;
    const opened = store.listOf(file);
    if (opened.length === 0) return;
    await this.abort(file);
    await this.delete(file);
    for (const { segment } of opened) store.delete(segment);
  }

  #openOnce(file: File, segment: number): Promise<void> {
    if (this.#deps.store.find(segment)) return Promise.resolve();
    const running = this.#opening.get(segment);
    if (running) return running;
    const opening = this.#create(file, segment).finally(() => this.#opening.delete(segment));
    this.#opening.set(segment, opening);
    return opening;
  }

  async #create({ fileId, contentType }: File, segment: number): Promise<void> {
    const { bucket, store, fileOf } = this.#deps;
    const key = numberedKey(fileId, segment);
    const r2UploadId = await createMultipart(bucket, key, contentType);
    if (fileOf(segment)) store.add({ segment, phase: "open", r2UploadId });
    else await abortMultipart(bucket, key, r2UploadId);
  }

  async #join(segment: number): Promise<void> {
    const { bucket, store, fileOf, completedParts, onJoined, forget } = this.#deps;
    const file = fileOf(segment);
    const opened = store.find(segment);
    if (!file || opened?.phase !== "joining") return;
    const { firstPart, partCount, sizeBytes } = store.planned(file, segment);
    const lastPart = firstPart + partCount - 1;
    const completed = completedParts(file, firstPart, lastPart);
    const receipts = completed.map(({ part, etag }) => ({ part: part - firstPart + 1, etag }));
    const stored = await completeMultipart(bucket, numberedKey(file.fileId, segment), opened.r2UploadId, receipts);
    if (stored === "invalid-parts") {
      store.setPhase(segment, forget(file, firstPart, lastPart) ? "open" : "unjoinable");
    } else {
      store.setPhase(segment, stored?.sizeBytes === sizeBytes ? "stored" : "unjoinable");
      onJoined(file);
    }
  }

  #numbers(phase: "joining" | "unjoinable"): number[] {
    return this.#deps.store.list(phase).map(({ segment }) => segment);
  }
}
