import { MAX_MISSING_LISTED } from "#domain/transfers/limits.ts";
import { blockable } from "#domain/moderation/block-list.ts";
import { inOrder, riskByName } from "#domain/moderation/risky-kinds.ts";
import { encodePages, type Entry } from "#domain/transfers/pages.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import { searchedNames } from "#domain/transfers/searched-names.ts";
import { layOutZip } from "#domain/zip.ts";
import { findBlocked, recordBlocked } from "#worker/db/blocked-sums.ts";
import { logError } from "#worker/log.ts";
import { numberedKey } from "#worker/storage/keys.ts";
import { deleteManyObjects } from "#worker/storage/objects.ts";
import { SessionFinalizer, type FinalizerDependencies } from "../shared/session.ts";
import type { MultipartUploads } from "./multipart-uploads.ts";
import { placeOf } from "./object.ts";
import { ObjectVerifier } from "./object-verifier.ts";
import type { ReadyList } from "./ready-list.ts";
import { NO_TRANSFER, type FinishResult, type TransferRejection } from "./results.ts";
import * as state from "./state.ts";
import type { TransferStore } from "./store.ts";

interface Dependencies extends FinalizerDependencies<state.TransferRecord> {
  store: TransferStore;
  uploads: MultipartUploads;
  readyList: ReadyList;
  /**
   * Joins the objects and wipes the removed entries that are due. An object for which storage fails is tried again at a
   * later call.
   */
  workOnObjects(): Promise<void>;
  hasObjectWork(): boolean;
}

/** Completes or ends a transfer. */
export class TransferFinalizer extends SessionFinalizer<state.TransferRecord, FinishResult> {
  protected override readonly kind = "transfer";
  readonly #deps: Dependencies;
  readonly #verifier: ObjectVerifier;

  constructor(deps: Dependencies) {
    super(deps);
    this.#deps = deps;
    this.#verifier = new ObjectVerifier({
      ...deps,
      onVerified: async (fileId, sums) => {
        await deps.readyList.correct(fileId, sums);
        await this.endIfBlocked(
          fileId,
          sums.map(({ sha256 }) => sha256),
        );
      },
    });
  }

  /**
   * Waits until every object is stored, then stores the list of entries in this Durable Object, and makes the row in D1
   * ready.
   */
  override async finish(): Promise<FinishResult> {
    await this.#deps.workOnObjects();
    const record = this.#deps.store.find();
    if (!record) return NO_TRANSFER;
    try {
      return await this.#finish(record);
    } catch (error) {
      return this.retryOrGiveUp(record, error);
    }
  }

  async #finish(record: state.TransferRecord): Promise<FinishResult> {
    const { store } = this.#deps;
    const { fileId } = record.plan;
    // Storage did not answer for one of the objects.
    if (this.#deps.hasObjectWork()) throw new Error("objects are still to be joined or wiped");
    const missing = store.index.missingIn(store.objects.overview.stored);
    if (missing.length > 0) {
      this.#deps.save(state.reopen(record, Date.now()));
      return entriesMissing(missing);
    }
    await this.abortParts();
    const entries = listEntries(store);
    const present = entries.filter(({ removedAt }) => removedAt === null);
    const blocked = record.plan.isSealed ? null : await this.#findBlocked(record, present);
    if (blocked) return blocked;
    const risk = record.plan.isSealed ? [] : inOrder([...store.risk, ...present.map(({ path }) => riskByName(path))]);
    if (risk.some((kind) => this.#deps.refusedKinds.includes(kind))) {
      await this.end(record, "failed", "KIND_REFUSED");
      return { ok: false, code: "KIND_REFUSED", localizedMessage: { group: "errors", name: "siteKinds", values: {} } };
    }
    const zip = await layOutZip(present);
    const etag = zip.etag.replaceAll('"', "");
    store.list.replace({ fileId, etag, isCopy: false }, encodePages(entries));
    const now = Date.now();
    const sizeBytes = present.reduce((sum, entry) => sum + entry.sizeBytes, 0);
    const ready = await this.finishRow(record, {
      etag,
      sizeBytes,
      checksum: null,
      risk,
      ...(!record.plan.isSealed && { names: searchedNames(present.map(({ path }) => path)) }),
      list: { zipSize: zip.size, entryCount: present.length, objectCount: store.objects.storedEnd() },
      uploadedAt: now,
      expiresAt: state.expiryFrom(record, sizeBytes, now),
    });
    if (!ready.ok) return ready;
    const finished = { sizeBytes, zipSizeBytes: zip.size, etag: zip.etag, entries: present.length };
    // The server does not verify a sealed transfer, because the program that opens encrypted bytes checks them.
    const verification = record.plan.isSealed ? null : store.objects.nextInParts(0) && state.NOTHING_VERIFIED;
    this.#deps.save({ ...state.settle(record, ready.expiresAt, now), finished, verification });
    return { ...ready, ...finished };
  }

  /** Ends the transfer if one of its files is on the block list. @returns null if none is */
  async #findBlocked(record: state.TransferRecord, present: readonly Entry[]): Promise<TransferRejection | null> {
    const { db } = this.#deps;
    const { hit } = await findBlocked(db, blockable(present.map(({ sha256 }) => sha256)));
    if (!hit) return null;
    await recordBlocked(db, record.plan.fileId, hit, Date.now());
    await this.end(record, "failed", "CONTENT_BLOCKED");
    const path = present.find(({ sha256 }) => sha256 === hit.sha256)?.path ?? "";
    return {
      ok: false,
      code: "CONTENT_BLOCKED",
      localizedMessage: { group: "errors", name: "entryBlocked", values: { path } },
    };
  }

  /** Reads large objects back to verify the sums of large files, which come from the sender. */
  async verify(record: state.TransferRecord): Promise<void> {
    const { fileId } = record.plan;
    try {
      const verification = record.verification && (await this.#verifier.verify(fileId, record.verification));
      // The transfer was deleted during the verification.
      if (!this.#deps.store.find()) return;
      this.#deps.save({ ...record, verification, attempts: 0 });
    } catch (error) {
      if (!this.#deps.store.find()) return;
      logError("transfer.verification_failed", error, { uploadId: fileId });
      this.#deps.save(state.recordAttempt(record));
    }
  }

  protected override abortParts(): Promise<void> {
    return this.#deps.uploads.discard("open", "joining", "dropped", "rejected");
  }

  protected override async deleteStored({ plan }: state.TransferRecord): Promise<void> {
    const { bucket, store } = this.#deps;
    const keys = Array.from({ length: store.objects.storedEnd() }, (_, number) => numberedKey(plan.fileId, number));
    await deleteManyObjects(bucket, keys);
    store.list.delete();
  }
}

/** The list of all entries. Removed entries stay in the list, because entry numbers do not change. */
function listEntries(store: TransferStore): Entry[] {
  const removed = store.entries.removed();
  const entries = [...store.entries.list()].map((announced, n): Entry => ({
    ...announced,
    object: null,
    offset: 0,
    crc32: 0,
    sha256: null,
    crcSource: "server",
    removedAt: removed.get(n) ?? null,
  }));
  for (const stored of store.objects.list("stored")) {
    const { object, runs, sums, partCount } = stored;
    const placed = placeOf(stored);
    let offset = 0;
    for (const [at, n] of toNumbers(runs).entries()) {
      const entry = entries[n];
      const sum = sums?.[at];
      if (!entry || !sum) throw new Error(`object ${object} has no sum of entry ${n}`);
      // The browser computed the checksums of a large file. The server computed the checksums of a pack's files when it
      // read the pack back.
      const crcSource = partCount === 1 ? "server" : "browser";
      // The browser may send the hash of a large file after its last part.
      const sha256 = sum.sha256 ?? store.entries.senderSum(n);
      Object.assign(entry, { crc32: sum.crc32, sha256, ...placed, offset, crcSource });
      offset += store.index.sizeOf(n);
    }
  }
  return entries;
}

export function entriesMissing(missing: number[]): TransferRejection {
  return {
    ok: false,
    code: "UPLOAD_INCOMPLETE",
    localizedMessage: { group: "errors", name: "entriesMissing", values: { count: missing.length } },
    missing: missing.slice(0, MAX_MISSING_LISTED),
    missingCount: missing.length,
  };
}
