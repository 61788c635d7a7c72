import { mimeTypeOf } from "#domain/mime.ts";
import { planParts } from "#domain/parts.ts";
import { MAX_ENTRIES_PER_PACK, MAX_ENTRY_NUMBERS, MAX_PACK_OBJECT_BYTES } from "#domain/transfers/limits.ts";
import { checkPath } from "#domain/transfers/paths.ts";
import { toNumbers } from "#domain/transfers/runs.ts";
import type { ObjectToOpen, TransferBatch, TransferReceipt } from "#domain/wire.ts";
import type { EntryIndex } from "./entry-index.ts";
import { reject, TransferRejectedError } from "./transfer-results.ts";
import { growTotals, recordActivity, type TransferRecord } from "./transfer-state.ts";
import type { AnnouncedEntry, TransferObject, TransferStore } from "./transfer-store.ts";

interface Target {
  store: TransferStore;
  index: EntryIndex;
}

/**
 * Stores what a batch says, inside a transaction. A batch that comes twice changes nothing the second time: the client
 * numbers entries and objects.
 * @returns the new record, not yet saved @throws TransferRejectedError
 */
export function applyBatch(target: Target, record: TransferRecord, batch: TransferBatch, now: number): TransferRecord {
  let changed = record;
  if (batch.totals) changed = growTotals(changed, batch.totals.entries, batch.totals.bytes);
  // First, so that a file that changed can come again under a new number in the same batch.
  for (const n of batch.remove) if (n < record.nextEntry) remove(target, n, now);
  if (batch.entries) changed = announce(target, changed, batch.entries.from, batch.entries.list.map(toEntry));
  for (const n of batch.remove) if (n >= record.nextEntry) remove(target, n, now);
  for (const object of batch.drop) drop(target, object);
  for (const opened of batch.open) open(target, opened);
  for (const { n, sha256 } of batch.sums) target.store.addSenderSum(requireEntry(target, n), sha256);
  if (applyReceipts(target, batch.receipts)) changed = recordActivity(changed, now);
  return changed;
}

/** An object whose parts all have receipts is then joined. @returns whether a receipt was stored */
export function applyReceipts({ store }: Target, receipts: TransferReceipt[]): boolean {
  const touched = new Set<number>();
  for (const { object, part, etag, crc32 } of receipts) {
    const found = store.object(object);
    // Without an upload nothing can have been sent.
    if (!found || part > found.partCount || (found.phase === "open" && found.r2UploadId === null)) {
      throw new TransferRejectedError({
        code: "BAD_REQUEST",
        message: `There is no part ${part} of object ${object}.`,
      });
    }
    // The object is past needing receipts, or its bytes do not count any more.
    if (found.phase !== "open") continue;
    const stored = etag.replace(/^W\/|"/g, "");
    // The same receipt again is no sign of life.
    if (store.hasReceipt(object, part, stored)) continue;
    store.addReceipt(object, { part, etag: stored, crc32: Number.parseInt(crc32, 16) });
    touched.add(object);
  }
  for (const number of touched) {
    const object = store.object(number);
    if (object && store.receipts(number).length === object.partCount) store.saveObject({ ...object, phase: "joining" });
  }
  return touched.size > 0;
}

function toEntry([path, sizeBytes, modifiedMs, type]: readonly [string, number, number, string?]): AnnouncedEntry {
  return { path, sizeBytes, modifiedMs, type: mimeTypeOf(path, type ?? "") };
}

function announce(
  { store, index }: Target,
  record: TransferRecord,
  from: number,
  list: AnnouncedEntry[],
): TransferRecord {
  if (from > record.nextEntry) throw reject("BAD_REQUEST", "noSuchEntry", { n: record.nextEntry });
  const known = list.slice(0, record.nextEntry - from);
  for (const [at, entry] of known.entries()) {
    const stored = store.entry(from + at);
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
    checkEntry(index, entry, from + known.length + at, known.length + at);
    index.add(entry);
  }
  store.appendEntries(record.nextEntry, added);
  const announced = {
    ...record,
    nextEntry: record.nextEntry + added.length,
    announcedBytes: added.reduce((sum, { sizeBytes }) => sum + sizeBytes, record.announcedBytes),
  };
  // A number is never used twice, so removed entries make room.
  const present = announced.nextEntry - store.removedEntries().size;
  if (present > record.plan.entries || announced.announcedBytes > record.plan.lifetime.sizeBytes) {
    throw new TransferRejectedError({ code: "TOTALS_EXCEEDED" });
  }
  return announced;
}

function isSame(stored: AnnouncedEntry, announced: AnnouncedEntry): boolean {
  const { path, sizeBytes, modifiedMs } = announced;
  return stored.path === path && stored.sizeBytes === sizeBytes && stored.modifiedMs === modifiedMs;
}

/** @param index position in the batch */
function checkEntry({ paths }: EntryIndex, { path, sizeBytes }: AnnouncedEntry, n: number, index: number): void {
  if (!checkPath(path) || (path.endsWith("/") && sizeBytes > 0)) {
    throw reject("PATH_REFUSED", "pathRefused", { n }, { index });
  }
  const conflict = paths.conflictOf(path);
  if (conflict === "same") throw reject("ENTRY_CONFLICT", "pathTwice", {}, { index });
  if (conflict === "folder") throw reject("PATH_REFUSED", "pathOfFolder", { n }, { index });
}

function requireEntry({ index }: Target, n: number): number {
  if (n >= index.count) throw reject("BAD_REQUEST", "noSuchEntry", { n });
  return n;
}

/** Idempotent. */
function remove(target: Target, n: number, now: number): void {
  const entry = target.store.entry(n);
  if (!entry) throw reject("BAD_REQUEST", "noSuchEntry", { n });
  target.store.markRemoved(n, now);
  target.index.markRemoved(n, entry.path);
}

/** Idempotent. Bytes that are stored already stay: `remove` is for those. */
function drop({ store, index }: Target, number: number): void {
  const object = store.object(number);
  if (!object || object.phase === "dropped" || object.phase === "rejected") return;
  if (object.phase !== "open") throw new TransferRejectedError({ code: "OBJECT_CONFLICT" });
  store.saveObject({ ...object, phase: "dropped" });
  store.deleteReceipts(number);
  index.unassign(object);
}

function open(target: Target, { object, runs }: ObjectToOpen): void {
  const { store, index } = target;
  const existing = store.object(object);
  if (existing) {
    if (JSON.stringify(existing.runs) === JSON.stringify(runs) && existing.phase !== "dropped") return;
    throw new TransferRejectedError({ code: "OBJECT_CONFLICT" });
  }
  const numbers = toNumbers(runs);
  let sizeBytes = 0;
  for (const n of numbers) {
    requireEntry(target, n);
    if (index.isRemoved(n)) throw reject("BAD_REQUEST", "noSuchEntry", { n });
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
  const opened: TransferObject = {
    object,
    runs,
    sizeBytes,
    ...planParts(sizeBytes),
    r2UploadId: null,
    phase: "open",
    sums: null,
    isRetry: isRetryOf(store.objects("rejected"), numbers),
  };
  store.saveObject(opened);
  index.assign(opened);
}

function isRetryOf(rejected: TransferObject[], numbers: number[]): boolean {
  const tried = new Set(rejected.flatMap(({ runs }) => toNumbers(runs)));
  return numbers.some((n) => tried.has(n));
}
