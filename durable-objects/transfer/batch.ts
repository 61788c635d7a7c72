import { mimeTypeOf } from "#domain/mime.ts";
import { planParts } from "#domain/parts.ts";
import { planSegments, SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { SEALED_TYPE, sealedEntryName } from "#domain/seal/names.ts";
import { openedSize } from "#domain/seal/sizes.ts";
import {
  MAX_ENTRIES_PER_PACK,
  MAX_ENTRY_NUMBERS,
  MAX_PACK_OBJECT_BYTES,
  MAX_PATHS_BYTES,
} from "#domain/transfers/limits.ts";
import { checkPath } from "#domain/transfers/paths.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import type { ObjectToOpen, TransferBatch, CompletedObjectPart } from "#domain/wire.ts";
import { MARK_MISSING } from "../upload/results.ts";
import type { EntryIndex } from "./entry-index.ts";
import type { AnnouncedEntry } from "./entry-store.ts";
import { isSegmented, segmentedObject, type TransferObject } from "./object.ts";
import { reject, TransferRejectedError } from "./results.ts";
import { growTotals, recordActivity, type TransferRecord } from "./state.ts";
import type { TransferStore } from "./store.ts";

/**
 * Applies a batch inside a transaction. The client numbers entries and objects, so a repeated batch changes nothing.
 * @returns the new record, not yet saved @throws TransferRejectedError
 */
export function applyBatch(
  store: TransferStore,
  record: TransferRecord,
  batch: TransferBatch,
  now: number,
): TransferRecord {
  let changed = record;
  if (batch.totals) changed = growTotals(changed, batch.totals.entries, batch.totals.bytes);
  // Removals come first, so that the same batch can announce a changed file again under a new number.
  for (const n of batch.remove) if (n < record.nextEntry) changed = remove(store, changed, n, now);
  if (batch.entries) changed = announce(store, changed, batch.entries.from, batch.entries.list.map(toEntry));
  for (const n of batch.remove) if (n >= record.nextEntry) changed = remove(store, changed, n, now);
  if (changed.nextEntry > record.nextEntry) requireWithinTotals(store, changed);
  for (const object of batch.drop) drop(store, object);
  for (const opened of batch.open) open(store, opened);
  if (record.plan.isSealed && batch.sums.length > 0) throw reject("BAD_REQUEST", "sealedSum");
  for (const { object, parts } of batch.sign) for (const part of parts) requireObjectPart(store, object, part);
  for (const { n, sha256 } of batch.sums) store.entries.addSenderSum(requireEntry(store, n), sha256);
  return applyCompletedParts(store, changed, batch.receipts, now);
}

/**
 * Applies completed parts. An object whose parts are all completed enters the phase "joining". An object in segments is
 * rejected if a part has another sum than it had when its segment was closed, because readers may have its bytes.
 * @returns the new record, not yet saved
 */
export function applyCompletedParts(
  store: TransferStore,
  record: TransferRecord,
  receipts: CompletedObjectPart[],
  now: number,
): TransferRecord {
  const { plan } = record;
  const touched = new Map<number, number[]>();
  for (const receipt of receipts) {
    const { object, part, etag, crc32, marks } = receipt;
    const found = requireObjectPart(store, object, part);
    // A part of an object that is not open is ignored: the object is complete, or its bytes no longer count.
    if (found.phase !== "open") continue;
    const taking = phaseOfTaker(store, plan.fileId, found, part);
    // Without a multipart upload, no part can have been sent.
    if (taking === undefined) throw noSuchPart(object, part);
    if (taking !== "open") {
      if (store.objects.isContradicted(receipt, plan.isSealed === true)) rejectObject(store, found);
      continue;
    }
    const stored = etag.replace(/^W\/|"/g, "");
    // A repeated report of the same part does not count as activity.
    if (store.objects.hasCompletedPart(object, part, stored)) continue;
    if (plan.isSealed) store.objects.addMarks(object, part, requireMarks(found, marks));
    store.objects.addCompletedPart(object, { part, etag: stored, crc32: Number.parseInt(crc32, 16) });
    touched.set(object, [...(touched.get(object) ?? []), part]);
  }
  let changed = touched.size > 0 ? recordActivity(record, now) : record;
  for (const [number, parts] of touched) {
    const object = store.objects.find(number);
    if (object?.phase !== "open") continue;
    if (isSegmented(object)) {
      const count = (first: number, last: number) => store.objects.completedParts(number, first, last).length;
      store.objects.segments.close(segmentedObject(plan.fileId, object), parts, count);
    }
    if (store.objects.overview.countParts(number) === object.partCount) changed = join(store, changed, object);
  }
  return changed;
}

/** The phase of the multipart upload that takes a part of an open object. @returns undefined if there is none yet */
function phaseOfTaker(store: TransferStore, fileId: string, object: TransferObject, part: number) {
  if (isSegmented(object)) return store.objects.segments.phaseOf(segmentedObject(fileId, object), part);
  return object.r2UploadId === null ? undefined : "open";
}

/**
 * Begins to join an object. A pack's removed files are stored as zeros, so their bytes count against the announced
 * totals again. If the totals have no room for these bytes, the pack is rejected: the sender sends its other files in
 * another pack.
 */
function join(store: TransferStore, record: TransferRecord, object: TransferObject): TransferRecord {
  const { index } = store;
  const removed = toNumbers(object.runs).filter((n) => index.isRemoved(n));
  const announcedBytes = removed.reduce((sum, n) => sum + index.sizeOf(n), record.announcedBytes);
  if (announcedBytes > record.plan.lifetime.sizeBytes) {
    rejectObject(store, object);
    return record;
  }
  store.objects.save({ ...object, phase: "joining" });
  return { ...record, announcedBytes };
}

/** Rejects an object and discards its bytes. The sender sends the object's entries again in another object. */
export function rejectObject(store: TransferStore, object: TransferObject): void {
  store.objects.save({ ...object, phase: "rejected" });
  store.objects.deleteCompletedParts(object.object);
  store.index.reject(object);
  store.entries.markWiped(toNumbers(object.runs));
}

/** Accepts a part number of any object that was ever opened, whatever its phase. @throws TransferRejectedError */
function requireObjectPart(store: TransferStore, object: number, part: number): TransferObject {
  const found = store.objects.find(object);
  if (found && part <= found.partCount) return found;
  throw noSuchPart(object, part);
}

function noSuchPart(object: number, part: number): TransferRejectedError {
  return new TransferRejectedError({ code: "BAD_REQUEST", message: `There is no part ${part} of object ${object}.` });
}

/** @returns one mark for each entry of the object @throws TransferRejectedError */
function requireMarks({ runs }: TransferObject, marks: CompletedObjectPart["marks"] = []) {
  const marked = new Set(marks.map(({ n }) => n));
  const numbers = toNumbers(runs);
  if (marks.length === numbers.length && numbers.every((n) => marked.has(n))) return marks;
  throw new TransferRejectedError(MARK_MISSING);
}

function toEntry([path, sizeBytes, modifiedMs, type]: readonly [string, number, number, string?]): AnnouncedEntry {
  return { path, sizeBytes, modifiedMs, type: mimeTypeOf(path, type ?? "") };
}

function announce(store: TransferStore, record: TransferRecord, from: number, list: AnnouncedEntry[]): TransferRecord {
  if (from > record.nextEntry) throw reject("BAD_REQUEST", "noSuchEntry", { n: record.nextEntry });
  const known = list.slice(0, record.nextEntry - from);
  for (const [at, entry] of known.entries()) {
    const stored = store.entries.find(from + at);
    if (!stored || !isSame(stored, entry)) {
      throw reject("ENTRY_CONFLICT", "entryDiffers", { n: from + at }, { index: at });
    }
  }
  const added = list.slice(known.length);
  if (record.nextEntry + added.length > MAX_ENTRY_NUMBERS) {
    const message = `A transfer has numbers for ${MAX_ENTRY_NUMBERS} files, removed ones included.`;
    throw new TransferRejectedError({ code: "BAD_REQUEST", message });
  }
  for (const [at, entry] of added.entries()) {
    if (record.plan.isSealed) checkSealedEntry(entry, from + known.length + at, known.length + at);
    checkEntry(store.index, entry, from + known.length + at, known.length + at);
    store.index.add(entry);
  }
  if (store.index.pathsBytes > MAX_PATHS_BYTES) {
    throw reject("BAD_REQUEST", "pathsTooLong", { size: { bytes: MAX_PATHS_BYTES } });
  }
  store.entries.append(record.nextEntry, added);
  return {
    ...record,
    nextEntry: record.nextEntry + added.length,
    announcedBytes: added.reduce((sum, { sizeBytes }) => sum + sizeBytes, record.announcedBytes),
  };
}

function requireWithinTotals({ index }: TransferStore, { nextEntry, announcedBytes, plan }: TransferRecord): void {
  // An entry number is never used again, so a removed entry frees one announced entry.
  if (nextEntry - index.removedCount > plan.entries || announcedBytes > plan.lifetime.sizeBytes) {
    throw new TransferRejectedError({ code: "TOTALS_EXCEEDED" });
  }
}

function isSame(stored: AnnouncedEntry, announced: AnnouncedEntry): boolean {
  const { path, sizeBytes, modifiedMs } = announced;
  return stored.path === path && stored.sizeBytes === sizeBytes && stored.modifiedMs === modifiedMs;
}

/** Checks an announced entry. @param index the position in the batch */
function checkEntry({ paths }: EntryIndex, { path, sizeBytes }: AnnouncedEntry, n: number, index: number): void {
  if (!checkPath(path) || (path.endsWith("/") && sizeBytes > 0)) {
    throw reject("PATH_REFUSED", "pathRefused", { n }, { index });
  }
  const conflict = paths.conflictOf(path);
  if (conflict === "same") throw reject("ENTRY_CONFLICT", "pathTwice", {}, { index });
  if (conflict === "folder") throw reject("PATH_REFUSED", "pathOfFolder", { n }, { index });
}

/** Checks a sealed entry, whose name and date the server does not know. @param index the position in the batch */
function checkSealedEntry({ path, sizeBytes, modifiedMs, type }: AnnouncedEntry, n: number, index: number): void {
  const isNameless = path === sealedEntryName(n) && modifiedMs === 0 && type === SEALED_TYPE;
  if (isNameless && openedSize(sizeBytes) !== null) return;
  throw reject("BAD_REQUEST", "sealedEntryWrong", { n }, { index });
}

function requireEntry(store: TransferStore, n: number): number {
  if (n >= store.index.count) throw reject("BAD_REQUEST", "noSuchEntry", { n });
  return n;
}

/** Removes an entry. Idempotent. Bytes of the entry that are not stored yet free room in the announced totals. */
function remove(store: TransferStore, record: TransferRecord, n: number, now: number): TransferRecord {
  const entry = store.entries.find(n);
  if (!entry) throw reject("BAD_REQUEST", "noSuchEntry", { n });
  if (store.index.isRemoved(n)) return record;
  const number = store.index.objectOf(n);
  store.entries.markRemoved(n, number !== null, now);
  store.index.markRemoved(n, entry.path);
  const phase = number === null ? null : store.objects.find(number)?.phase;
  if (phase === "joining" || phase === "stored") return record;
  return { ...record, announcedBytes: record.announcedBytes - entry.sizeBytes };
}

/** Drops an object that is not stored yet. Idempotent. Entries whose bytes are stored are removed by `remove`. */
function drop(store: TransferStore, number: number): void {
  const object = store.objects.find(number);
  if (!object || object.phase === "dropped" || object.phase === "rejected") return;
  if (object.phase !== "open") throw new TransferRejectedError({ code: "OBJECT_CONFLICT" });
  store.objects.save({ ...object, phase: "dropped" });
  store.objects.deleteCompletedParts(number);
  store.index.unassign(object);
  store.entries.markWiped(toNumbers(object.runs));
}

/**
 * Opens an object. Some of the object's entries may already be removed, because the client may not know that yet. The
 * bytes of removed entries are wiped once the object is stored.
 */
function open(store: TransferStore, { object, runs }: ObjectToOpen): void {
  const { index } = store;
  const existing = store.objects.find(object);
  if (existing) {
    if (JSON.stringify(existing.runs) === JSON.stringify(runs) && existing.phase !== "dropped") return;
    throw new TransferRejectedError({ code: "OBJECT_CONFLICT" });
  }
  const numbers = toNumbers(runs);
  let sizeBytes = 0;
  for (const n of numbers) {
    requireEntry(store, n);
    if (index.sizeOf(n) === 0) {
      throw new TransferRejectedError({ code: "BAD_REQUEST", message: `File ${n} is empty, so no object holds it.` });
    }
    if (index.objectOf(n) !== null) throw new TransferRejectedError({ code: "OBJECT_CONFLICT" });
    sizeBytes += index.sizeOf(n);
  }
  if (new Set(numbers).size < numbers.length) throw new TransferRejectedError({ code: "OBJECT_CONFLICT" });
  if (numbers.length > MAX_ENTRIES_PER_PACK || (numbers.length > 1 && sizeBytes > MAX_PACK_OBJECT_BYTES)) {
    throw reject("BAD_REQUEST", "packTooLarge", {
      count: MAX_ENTRIES_PER_PACK,
      size: { bytes: MAX_PACK_OBJECT_BYTES },
    });
  }
  const parts = planParts(sizeBytes);
  const storedCount = sizeBytes < SEGMENTED_FROM_BYTES ? 1 : planSegments(parts.partCount).length;
  const storedFrom = store.objects.place(object, storedCount);
  if (storedFrom === null) {
    const message = "This transfer has sent too many files again. Begin a new one.";
    throw new TransferRejectedError({ code: "BAD_REQUEST", message });
  }
  const opened: TransferObject = {
    object,
    runs,
    sizeBytes,
    ...parts,
    r2UploadId: null,
    phase: "open",
    storedFrom,
    storedCount,
    sums: null,
    isRetry: numbers.some((n) => index.wasRejected(n)),
  };
  store.objects.save(opened);
  index.assign(opened);
  store.entries.markUnwiped(numbers.filter((n) => index.isRemoved(n)));
}
