import { logError } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { abortMultipart, createMultipart, type PartEtag } from "#worker/storage/objects.ts";
import type { MultipartUpload, Segments } from "../shared/segments.ts";
import {
  isSegmented,
  OBJECT_CONTENT_TYPE,
  segmentedObject,
  type ObjectPhase,
  type SegmentedObject,
  type TransferObject,
} from "./object.ts";
import type { TransferStore } from "./store.ts";

interface Dependencies {
  bucket: R2Bucket;
  store: TransferStore;
  segments: Segments<SegmentedObject>;
}

/** How many multipart uploads are aborted at the same time. */
const PARALLEL_ABORTS = 6;

/** The multipart uploads in R2 that take the parts of a transfer's objects. */
export class MultipartUploads {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Creates the missing multipart uploads that take parts of open objects. @param wanted parts by object
   * @returns false if storage did not answer
   */
  async create(wanted: ReadonlyMap<number, readonly number[]>): Promise<boolean> {
    const created = await Promise.allSettled(Array.from(wanted, ([number, parts]) => this.#create(number, parts)));
    return created.every(({ status }) => status === "fulfilled");
  }

  async #create(number: number, parts: readonly number[]): Promise<void> {
    const { bucket, store, segments } = this.#deps;
    const object = store.objects.find(number);
    if (object?.phase !== "open" || object.r2UploadId !== null) return;
    if (isSegmented(object)) {
      await segments.open(
        segmentedObject(this.#fileId, object),
        parts.filter((part) => part >= 1 && part <= object.partCount),
      );
      return;
    }
    const key = numberedKey(this.#fileId, object.storedFrom);
    const r2UploadId = await createMultipart(bucket, key, OBJECT_CONTENT_TYPE);
    const current = store.objects.find(number);
    if (current?.phase === "open" && current.r2UploadId === null) store.objects.save({ ...current, r2UploadId });
    // While R2 created this multipart upload, a parallel call stored another one, or the sender dropped the object.
    else await abortMultipart(bucket, key, r2UploadId);
  }

  /** @returns the multipart uploads that take parts of an open object now, in the order of their parts */
  takersOf(object: TransferObject): MultipartUpload[] {
    const { storedFrom, r2UploadId, partCount } = object;
    if (object.phase !== "open") return [];
    if (!isSegmented(object)) {
      const key = numberedKey(this.#fileId, storedFrom);
      return r2UploadId === null ? [] : [{ key, r2UploadId, firstPart: 1, partCount }];
    }
    return this.#deps.segments.takers(segmentedObject(this.#fileId, object));
  }

  /** @returns a part that takes no more bytes, because its segment has all its parts; null for any other part */
  closedPart(object: TransferObject, part: number): PartEtag | null {
    const { objects } = this.#deps.store;
    if (!isSegmented(object) || (object.phase !== "open" && object.phase !== "joining")) return null;
    const [completed] = objects.completedParts(object.object, part, part);
    const phase = objects.segments.phaseOf(segmentedObject(this.#fileId, object), part);
    return completed && phase !== "open" ? completed : null;
  }

  /** Deletes what storage has of objects in these phases. Idempotent. @throws Error when storage does not answer */
  async discard(...phases: Exclude<ObjectPhase, "stored">[]): Promise<void> {
    const { objects } = this.#deps.store;
    const unjoined = objects
      .list(...phases)
      .filter((object) => object.r2UploadId !== null || this.#mayHaveSegments(object));
    for (let at = 0; at < unjoined.length; at += PARALLEL_ABORTS) {
      await Promise.all(unjoined.slice(at, at + PARALLEL_ABORTS).map((object) => this.#discard(object)));
    }
  }

  #mayHaveSegments(object: TransferObject): boolean {
    if (!isSegmented(object)) return false;
    const takesParts = object.phase === "open" || object.phase === "joining";
    return takesParts || this.#deps.store.objects.overview.held.has(object.object);
  }

  async #discard(object: TransferObject): Promise<void> {
    const { bucket, store, segments } = this.#deps;
    const phase = object.phase === "rejected" ? "rejected" : "dropped";
    if (isSegmented(object)) {
      // The phase comes first, so that no segment is joined or opened meanwhile.
      if (object.phase !== phase) store.objects.save({ ...object, phase });
      await segments.discard(segmentedObject(this.#fileId, object));
    } else await abortMultipart(bucket, numberedKey(this.#fileId, object.storedFrom), object.r2UploadId ?? "");
    store.objects.save({ ...object, phase, r2UploadId: null });
  }

  /** Deletes what storage has of dropped and rejected objects. The alarm repeats a failed deletion. */
  async discardUnused(): Promise<void> {
    const { store } = this.#deps;
    if (store.objects.overview.held.size === 0) return;
    try {
      await this.discard("dropped", "rejected");
    } catch (error) {
      logError("transfer.abort_failed", error, { uploadId: this.#fileId });
    }
  }

  get #fileId(): string {
    return this.#deps.store.find()?.plan.fileId ?? "";
  }
}
