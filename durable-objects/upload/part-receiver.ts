import { type Checksum, joinCrc32 } from "#domain/checksums.ts";
import { partLength } from "#domain/parts.ts";
import type { CompletedPart } from "#domain/wire.ts";
import {
  checkTransport,
  FILE_CHANGED,
  MARK_MISSING,
  NO_UPLOAD,
  uploadClosed,
  type CompleteResult,
  type OpenUpload,
  type ReceivedParts,
  type UploadRejection,
} from "./results.ts";
import * as state from "./state.ts";
import type { UploadStore } from "./store.ts";

interface Dependencies {
  store: UploadStore;
  /** The upload has failed: its parts are not those of one file. */
  failChanged(record: state.UploadRecord): Promise<void>;
  complete(checksum: Checksum | null, mustMatch: boolean): Promise<CompleteResult>;
}

/** What the sender of a completed upload says of its bytes. */
export interface SenderSums {
  checksum: Checksum | null;
  /** Other bytes than the checksum's are discarded. */
  mustMatch: boolean;
  /** Of the whole file, in hexadecimal: an upload whose parts have other sums fails. */
  crc32: string | null;
}

/** A single PUT or parts, which their sender puts into R2: only the completed parts are reported here. */
export class PartReceiver {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @returns the parts that are noted as completed, these among them */
  receive(receipts: CompletedPart[]): ReceivedParts {
    const found = this.#take(receipts);
    if (!found.ok) return found;
    const { record } = found;
    if (state.isSettled(record)) return uploadClosed(record);
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    const received = this.#deps.store.partNumbers();
    return { ok: true, r2UploadId: record.r2UploadId, received, parts: state.partsOf(record) };
  }

  /** Idempotent. */
  async complete(receipts: CompletedPart[], { checksum, mustMatch, crc32 }: SenderSums): Promise<CompleteResult> {
    const found = this.#take(receipts);
    if (!found.ok) return found;
    const { record } = found;
    const rejection = checkTransport(record, "parts");
    if (rejection) return rejection;
    if (crc32 !== null && this.#isChanged(record, crc32)) {
      await this.#deps.failChanged(record);
      return FILE_CHANGED;
    }
    return this.#deps.complete(checksum, mustMatch);
  }

  /** @returns the parts that were noted as completed */
  store(record: state.UploadRecord, receipts: CompletedPart[]): number[] {
    // The Worker makes the parts of an upload in chunks, so what a client reports about them is not genuine.
    return state.transportOf(record) === "parts" ? storeCompletedParts(this.#deps.store, record, receipts) : [];
  }

  #take(receipts: CompletedPart[]): OpenUpload | UploadRejection {
    const { store } = this.#deps;
    const found = store.find();
    if (!found) return NO_UPLOAD;
    if (state.needsMarks(found) && receipts.some(({ mark }) => mark === undefined)) {
      return { ok: false, ...MARK_MISSING };
    }
    this.store(found, receipts);
    return { ok: true, record: store.find() ?? found };
  }

  /** Whether all parts have sums that are not those of a file with this one. */
  #isChanged(record: state.UploadRecord, crc32: string): boolean {
    const { partSizeBytes, partCount } = state.partsOf(record);
    const sums = this.#deps.store.sums();
    if (record.phase === "completing" || state.isSettled(record) || sums.length < partCount) return false;
    const { sizeBytes } = record.plan.lifetime;
    const joined = sums.reduce(
      (sum, { part, crc32: ofPart }) =>
        joinCrc32(sum, Number.parseInt(ofPart, 16), partLength(sizeBytes, part, partSizeBytes)),
      0,
    );
    return joined !== Number.parseInt(crc32, 16);
  }
}

/** Also of parts that this object has sent. @returns the parts that were noted as completed */
export function storeCompletedParts(
  store: UploadStore,
  record: state.UploadRecord,
  receipts: CompletedPart[],
): number[] {
  if (receipts.length === 0 || state.isSettled(record)) return [];
  // The last parts of an appended upload are sent when it completes.
  if (record.phase === "completing" && !state.isAppended(record)) return [];
  const { partCount } = state.partsOf(record);
  const needsMarks = state.needsMarks(record);
  const accepted = receipts.filter(({ part, mark }) => part <= partCount && (mark !== undefined || !needsMarks));
  if (needsMarks) for (const { part, mark } of accepted) store.addMark(part, mark);
  store.addCompletedParts(
    accepted.map(({ part, etag, crc32 }) => ({ part, etag: etag.replace(/^W\/|"/g, ""), crc32 })),
  );
  store.save(state.recordActivity(record, Date.now()));
  return accepted.map(({ part }) => part);
}
