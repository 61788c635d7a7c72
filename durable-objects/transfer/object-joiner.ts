import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { joinCrc32 } from "#domain/checksums.ts";
import { RISK_HEAD_BYTES, riskByBytes, type RiskyKind } from "#domain/moderation/risky-kinds.ts";
import { partLength } from "#domain/parts.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import { logError } from "#worker/log.ts";
import { withMemory } from "#worker/memory.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { completeMultipart, deleteObjects, readRange } from "#worker/storage/objects.ts";
import { JoinQueue } from "../shared/join-queue.ts";
import type { Segments } from "../shared/segments.ts";
import { rejectObject } from "./batch.ts";
import {
  isSegmented,
  segmentedObject,
  storedNumbers,
  type EntrySum,
  type SegmentedObject,
  type SummedPart,
  type TransferObject,
} from "./object.ts";
import type { TransferStore } from "./store.ts";

interface Dependencies {
  bucket: R2Bucket;
  store: TransferStore;
  segments: Segments<SegmentedObject>;
  fileId: string;
  /** Encrypted bytes say nothing about their kind. */
  isSealed: boolean;
  /** Called when the entries of the object can be downloaded. */
  onStored(object: TransferObject): void;
}

/**
 * Completes objects whose parts have all arrived, while other objects are still being sent. Reads a pack back once, to
 * compute the checksums of each file from the stored bytes. The segments of a large file are completed one by one, before
 * the object is. Every step can be repeated after a crash.
 */
export class ObjectJoiner {
  readonly #deps: Dependencies;
  readonly #queue: JoinQueue;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { objects } = deps.store;
    this.#queue = new JoinQueue({
      // Segments are joined by a queue of their own.
      waiting: () => [...objects.overview.joining].filter((number) => !objects.overview.isInSegments(number)),
      // A pack is read back as a whole.
      join: (number) => withMemory(objects.overview.packBytes(number), Infinity, () => this.#join(number)),
      onFailed: (object, error) => logError("transfer.join_failed", error, { uploadId: deps.fileId, object }),
    });
  }

  /** Joins all objects and segments whose parts are completed. @returns settles when no join is running */
  async start(): Promise<void> {
    await Promise.all([this.#queue.start(), this.#deps.segments.join()]);
    // A crash may have come between the last segment and its object.
    const { objects } = this.#deps.store;
    for (const object of [...objects.overview.joining].flatMap((number) => objects.find(number) ?? []))
      if (isSegmented(object)) this.settle(object);
  }

  /** Takes over that a segment was joined: stores the object with its last one, or rejects an object that R2 cannot join. */
  settle({ object: number }: Pick<TransferObject, "object">): void {
    const { store, fileId, onStored } = this.#deps;
    const object = store.objects.find(number);
    if (object?.phase !== "open" && object?.phase !== "joining") return;
    const opened = store.objects.segments.listOf(segmentedObject(fileId, object));
    if (opened.some(({ phase }) => phase === "unjoinable")) {
      rejectObject(store, object);
      return;
    }
    const storedCount = opened.filter(({ phase }) => phase === "stored").length;
    if (object.phase === "open" || storedCount < object.storedCount) return;
    const updated = this.#update(number, {
      phase: "stored",
      sums: this.#sumsOfParts(object, store.objects.completedParts(number)),
    });
    store.objects.deleteCompletedParts(number);
    if (updated) onStored(updated);
  }

  async #join(number: number): Promise<void> {
    const { bucket, store, fileId, isSealed } = this.#deps;
    const object = store.objects.find(number);
    if (object?.r2UploadId == null) return;
    const key = numberedKey(fileId, object.storedFrom);
    const receipts = store.objects.completedParts(number);
    const stored = await completeMultipart(bucket, key, object.r2UploadId, receipts);
    if (stored === "invalid-parts") {
      store.objects.deleteCompletedParts(number);
      this.#update(number, { phase: "open" });
      return;
    }
    if (stored?.sizeBytes !== object.sizeBytes) {
      await this.#reject(object);
      return;
    }
    const sums = object.partCount === 1 ? await this.#readBack(object, receipts) : this.#sumsOfParts(object, receipts);
    if (!sums) {
      await this.#reject(object);
      return;
    }
    if (object.partCount > 1 && !isSealed) {
      const head = await readRange(bucket, key, 0, Math.min(object.sizeBytes, RISK_HEAD_BYTES));
      store.addRisk([riskByBytes(head)]);
    }
    const updated = this.#update(number, { phase: "stored", sums });
    store.objects.deleteCompletedParts(number);
    if (updated) this.#deps.onStored(updated);
  }

  /**
   * Reads an object back and computes the checksums of its entries. @returns null when the stored bytes differ from the
   * sender's CRC-32, unless the sender has sent these entries a second time
   */
  async #readBack(object: TransferObject, [receipt]: SummedPart[]): Promise<EntrySum[] | null> {
    const body = await this.#deps.bucket.get(numberedKey(this.#deps.fileId, object.storedFrom));
    if (!body) return null;
    const bytes = new Uint8Array(await body.arrayBuffer());
    if (!object.isRetry && crc32(bytes) !== receipt?.crc32) return null;
    const { store, isSealed } = this.#deps;
    const risk: (RiskyKind | null)[] = [];
    let offset = 0;
    const sums = toNumbers(object.runs).map((n) => {
      const slice = bytes.subarray(offset, (offset += store.index.sizeOf(n)));
      if (!isSealed) risk.push(riskByBytes(slice.subarray(0, RISK_HEAD_BYTES)));
      return { crc32: crc32(slice), sha256: createHash("sha256").update(slice).digest("hex") };
    });
    store.addRisk(risk);
    return sums;
  }

  #sumsOfParts({ runs, sizeBytes, partSizeBytes }: TransferObject, receipts: SummedPart[]): EntrySum[] {
    const joined = receipts.reduce(
      (sum, { part, crc32: sumOfPart }) => joinCrc32(sum, sumOfPart, partLength(sizeBytes, part, partSizeBytes)),
      0,
    );
    return toNumbers(runs).map((n) => ({ crc32: joined, sha256: this.#deps.store.entries.senderSum(n) }));
  }

  /** Rejects an object, so that the sender sends its entries again in another object. */
  async #reject(object: TransferObject): Promise<void> {
    const { bucket, store, fileId } = this.#deps;
    await deleteObjects(
      bucket,
      storedNumbers(object).map((stored) => numberedKey(fileId, stored)),
    );
    const current = store.objects.find(object.object);
    if (current?.phase === "joining") rejectObject(store, current);
  }

  /** @returns null when the object was rejected or dropped while storage worked */
  #update(number: number, change: Partial<TransferObject>): TransferObject | null {
    const current = this.#deps.store.objects.find(number);
    if (current?.phase !== "joining") return null;
    const updated = { ...current, ...change };
    this.#deps.store.objects.save(updated);
    return updated;
  }
}
