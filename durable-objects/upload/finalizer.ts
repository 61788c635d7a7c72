import type { Checksum } from "#domain/checksums.ts";
import type { BlockedSum } from "#domain/moderation/block-list.ts";
import { inOrder, RISK_HEAD_BYTES, riskByBytes, riskByName, type RiskyKind } from "#domain/moderation/risky-kinds.ts";
import { layOutSegments, stretchesIn } from "#domain/segments.ts";
import { MIB } from "#domain/units.ts";
import { findBlocked, recordBlocked } from "#worker/db/blocked-sums.ts";
import { saveServerSum } from "#worker/db/uploads.ts";
import { logError } from "#worker/log.ts";
import { withMemory } from "#worker/memory.ts";
import { incomingKey, numberedKey, objectKey } from "#worker/storage/keys.ts";
import {
  deleteObjects,
  hashObjects,
  hashStretches,
  abortMultipart,
  promoteIncoming,
  completeMultipart,
  findPromoted,
  openIncoming,
  readRange,
  type PartEtag,
  type StoredObject,
  type StoredStretch,
} from "#worker/storage/objects.ts";
import { HASH_BITE_BYTES } from "#worker/storage/sha256.ts";
import type { SegmentedFile } from "../shared/segment-store.ts";
import type { Segments } from "../shared/segments.ts";
import { SessionFinalizer, type FinalizerDependencies } from "../shared/session.ts";
import type { Chunks } from "./chunks.ts";
import { NO_UPLOAD, uploadIncomplete, type CompleteResult } from "./results.ts";
import * as state from "./state.ts";
import type { UploadRecord } from "./state.ts";
import type { UploadStore } from "./store.ts";

/**
 * The largest file that is hashed before it is ready, so that its sender hears that it is blocked. 64 MiB take a second,
 * and can be downloaded only once they are ready (decision 055).
 */
const MAX_HASHED_FIRST_BYTES = 64 * MIB;

interface Dependencies extends FinalizerDependencies<state.UploadRecord> {
  store: UploadStore;
  chunks: Chunks;
  segments: Segments<SegmentedFile>;
  /** Only tests set it. A multiple of 64. */
  hashBiteBytes?: number;
}

/** Completes or ends the upload of a single file. */
export class UploadFinalizer extends SessionFinalizer<state.UploadRecord, CompleteResult> {
  protected override readonly kind = "upload";
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    super(deps);
    this.#deps = deps;
  }

  override async finish(): Promise<CompleteResult> {
    const { bucket, store, chunks } = this.#deps;
    const found = store.find();
    if (!found) return NO_UPLOAD;
    let record = found;
    try {
      record = await this.#withoutEmptyParts(found);
      if (state.isAppended(record) && !(await chunks.send(record)))
        throw new Error("storage did not take the last parts");
      const assembly = state.isSegmented(record)
        ? await this.#joinSegments(record)
        : await assembleObject(bucket, record, store.completedParts());
      if (assembly.kind === "mismatch") return await this.#fail(record, "OBJECT_MISMATCH");
      if (assembly.kind !== "assembled") return this.#reopen(record, assembly);
      const { object, sha256 } = assembly;
      const isOther = sha256 !== null && record.checksum !== null && sha256 !== record.checksum.sha256;
      if (record.mustMatch === true && isOther) return await this.#fail(record, "CHECKSUM_MISMATCH");
      const told = sha256 === null ? record.checksum : { sha256, source: "server" as const };
      const { checksum, hit, isUsed } = await this.#compareWithBlockList(record, told);
      if (hit) {
        await recordBlocked(this.#deps.db, record.plan.fileId, hit, Date.now());
        return await this.#fail(record, "CONTENT_BLOCKED");
      }
      const risk = await this.#readRisk(record);
      if (risk.some((kind) => this.#deps.refusedKinds.includes(kind))) return await this.#fail(record, "KIND_REFUSED");
      const now = Date.now();
      const ready = await this.finishRow(record, {
        etag: object.etag,
        // An upload that was started without a size may have more reserved than its final size.
        sizeBytes: record.plan.isOpenEnded === undefined ? null : record.plan.lifetime.sizeBytes,
        checksum,
        risk,
        uploadedAt: now,
        expiresAt: state.expiryFrom(record, now),
      });
      if (!ready.ok) return ready;
      this.#deps.save(state.recordReady(record, checksum, ready.expiresAt, now, isUsed));
      // Deletes the incoming copy. The sweep removes copies that remain.
      if (record.plan.partSizeBytes === null)
        this.#deps.waitUntil(deleteObjects(bucket, [incomingKey(record.plan.fileId)]));
      return ready;
    } catch (error) {
      return this.retryOrGiveUp(record, error);
    }
  }

  /** Aborts the multipart upload of an empty file, which was started without a size. */
  async #withoutEmptyParts(record: state.UploadRecord): Promise<state.UploadRecord> {
    if (record.r2UploadId === null || record.plan.lifetime.sizeBytes > 0) return record;
    await this.abortParts(record);
    const empty = state.withoutParts(record);
    this.#deps.save(empty);
    return empty;
  }

  /**
   * Looks for the file's sum on the block list. While the list has sums, a sum of the server counts: that of a small file
   * is computed here, that of a larger one by the alarm.
   * @param told the sum so far
   * @returns `checksum`: the file's sum, if it is known by now
   */
  async #compareWithBlockList(
    record: UploadRecord,
    told: Checksum | null,
  ): Promise<{ checksum: Checksum | null; hit: BlockedSum | null; isUsed: boolean }> {
    const { bucket, db } = this.#deps;
    const { isSealed, lifetime } = record.plan;
    // Bytes that were encrypted twice have two sums, so the list says nothing about them.
    if (isSealed) return { checksum: told, hit: null, isUsed: false };
    const found = await findBlocked(db, told ? [told.sha256] : []);
    const isDone = found.hit !== null || !found.isUsed || told?.source === "server";
    if (isDone || lifetime.sizeBytes > MAX_HASHED_FIRST_BYTES) return { checksum: told, ...found };
    const keys = stretchesOf(record, 0, lifetime.sizeBytes).map(({ key }) => key);
    const sha256 = await hashObjects(bucket, keys);
    if (sha256 === null) throw new Error("storage lost the object");
    return { checksum: { sha256, source: "server" }, ...(await findBlocked(db, [sha256])) };
  }

  /** @returns the risky kinds of the file, by its name and by its first bytes */
  async #readRisk(record: UploadRecord): Promise<RiskyKind[]> {
    const { isSealed, filename, lifetime } = record.plan;
    if (isSealed) return [];
    const [first] = stretchesOf(record, 0, Math.min(lifetime.sizeBytes, RISK_HEAD_BYTES));
    const isEmpty = lifetime.sizeBytes === 0;
    const head = isEmpty || !first ? null : await readRange(this.#deps.bucket, first.key, first.offset, first.length);
    return inOrder([riskByName(filename), head && riskByBytes(head)]);
  }

  async #fail(
    record: state.UploadRecord,
    code: "OBJECT_MISMATCH" | "CHECKSUM_MISMATCH" | "CONTENT_BLOCKED" | "KIND_REFUSED",
  ): Promise<CompleteResult> {
    await this.end(record, "failed", code);
    return { ok: false, code };
  }

  /** Joins the segments that are not stored yet. @throws Error when R2 does not answer */
  async #joinSegments(record: UploadRecord): Promise<Assembly> {
    const { segments, store } = this.#deps;
    await segments.join();
    if (segments.isUnjoinable) return { kind: "mismatch" };
    if (segments.hasWork) throw new Error("segments are still to be joined");
    const { etag = "", lifetime } = record.plan;
    if (state.missingParts(record, new Set(store.partNumbers())).length > 0) return { kind: "absent" };
    const sizeBytes = store.segments.storedTo(state.segmentedFileOf(record), 0);
    return sizeBytes === lifetime.sizeBytes
      ? { kind: "assembled", object: { etag, sizeBytes }, sha256: null }
      : { kind: "mismatch" };
  }

  /** Reopens the upload, so that the sender sends what storage lacks. */
  #reopen(record: state.UploadRecord, { kind }: Exclude<Assembly, { kind: "assembled" }>): CompleteResult {
    const { store, chunks } = this.#deps;
    if (kind === "invalid-parts") {
      store.deleteCompletedParts();
      if (state.isAppended(record)) chunks.deleteFrom(0);
      else if (record.plan.chunkSizeBytes !== null) chunks.deleteSent(record);
    }
    const reopened = state.reopen(record, Date.now());
    this.#deps.save(reopened);
    return uploadIncomplete(state.missingParts(reopened, new Set(store.partNumbers())));
  }

  /**
   * Hashes the next bite of a ready file whose sum is not the server's: the chunks of an upload arrive in any order, and
   * a sender may have told another sum. The state is stored after each bite, so a kill costs one bite.
   */
  async hash(record: state.UploadRecord): Promise<void> {
    const { fileId } = record.plan;
    const next = await this.#hashBite(record).catch((error: unknown) => {
      logError("upload.hash_failed", error, { uploadId: fileId });
      return state.recordAttempt(record);
    });
    // Another run has got further meanwhile.
    const current = this.#deps.store.find();
    if (current?.hashDue === true && current.hashed?.bytes === record.hashed?.bytes) this.#deps.save(next);
  }

  async #hashBite(record: state.UploadRecord): Promise<state.UploadRecord> {
    const { bucket, db, hashBiteBytes = HASH_BITE_BYTES } = this.#deps;
    const { fileId, lifetime } = record.plan;
    const from = record.hashed?.bytes ?? 0;
    const to = Math.min(lifetime.sizeBytes, from + hashBiteBytes);
    const isLast = to === lifetime.sizeBytes;
    const stretches = stretchesOf(record, from, to);
    let sha256: string | null;
    if (from === 0 && isLast) {
      sha256 = await hashObjects(
        bucket,
        stretches.map(({ key }) => key),
      );
    } else {
      const sum = await hashStretches(bucket, stretches, record.hashed);
      if (sum !== null && !isLast) return state.recordBite(record, sum.state());
      sha256 = sum?.digest() ?? null;
    }
    if (sha256 !== null) {
      await saveServerSum(db, fileId, sha256);
      await this.endIfBlocked(fileId, [sha256]);
    }
    return state.recordHashed(record);
  }

  protected override async abortParts(record: state.UploadRecord): Promise<void> {
    const { plan, r2UploadId } = record;
    if (state.isSegmented(record)) await this.#deps.segments.abort(state.segmentedFileOf(record));
    if (r2UploadId !== null) await abortMultipart(this.#deps.bucket, objectKey(plan.fileId), r2UploadId);
  }

  protected override deleteStored(record: state.UploadRecord): Promise<void> {
    if (state.isSegmented(record)) return this.#deps.segments.delete(state.segmentedFileOf(record));
    const { fileId, partSizeBytes } = record.plan;
    const keys = partSizeBytes === null ? [objectKey(fileId), incomingKey(fileId)] : [objectKey(fileId)];
    return deleteObjects(this.#deps.bucket, keys);
  }
}

/** @param from and `to`: positions in the file, `to` exclusive @returns where these bytes are stored, in their order */
function stretchesOf(record: UploadRecord, from: number, to: number): StoredStretch[] {
  const { fileId, lifetime } = record.plan;
  if (!state.isSegmented(record)) return [{ key: objectKey(fileId), offset: from, length: to - from }];
  const layout = layOutSegments(lifetime.sizeBytes, state.partsOf(record));
  return Array.from(stretchesIn(layout, from, to), ({ object, offset, length }) => ({
    key: numberedKey(fileId, object),
    offset,
    length,
  }));
}

type Assembly =
  | { kind: "assembled"; object: StoredObject; sha256: string | null }
  /** Bytes are missing: the sender may send them. */
  | { kind: "absent" }
  /** R2 lacks a part that was reported as completed: the sender has to send all parts again. */
  | { kind: "invalid-parts" }
  /** The object has another size than announced, its parts cannot be joined, or R2 has lost it. */
  | { kind: "mismatch" };

/**
 * Makes the object of the upload. Only R2's answers count (decision 015). Idempotent. @throws when R2 does not answer
 */
async function assembleObject(bucket: R2Bucket, record: UploadRecord, receipts: PartEtag[]): Promise<Assembly> {
  const assembly =
    record.r2UploadId === null
      ? // The copy is read faster than it is written.
        await withMemory(record.plan.lifetime.sizeBytes, Infinity, () => promoteSinglePut(bucket, record))
      : await joinParts(bucket, record.plan.fileId, record.r2UploadId, receipts);
  if (assembly.kind !== "assembled" || assembly.object.sizeBytes === record.plan.lifetime.sizeBytes) return assembly;
  return { kind: "mismatch" };
}

async function joinParts(
  bucket: R2Bucket,
  fileId: string,
  r2UploadId: string,
  receipts: PartEtag[],
): Promise<Assembly> {
  const object = await completeMultipart(bucket, objectKey(fileId), r2UploadId, receipts);
  if (object === "invalid-parts") return { kind: object };
  return object ? { kind: "assembled", object, sha256: null } : { kind: "mismatch" };
}

async function promoteSinglePut(bucket: R2Bucket, { plan }: UploadRecord): Promise<Assembly> {
  const incoming = await openIncoming(bucket, plan.fileId);
  if (incoming && incoming.size !== plan.lifetime.sizeBytes) {
    await incoming.body.cancel();
    return { kind: "mismatch" };
  }
  const promoted = incoming
    ? await promoteIncoming(bucket, plan.fileId, incoming, plan.contentType)
    : await findPromoted(bucket, plan.fileId);
  return promoted ? { kind: "assembled", ...promoted } : { kind: "absent" };
}
