import {
  MAX_PARTS_PER_SIGNING,
  MAX_COMPLETED_PARTS_PER_CALL,
  PARTS_SIGNED_AT_START,
  planParts,
} from "#domain/parts.ts";
import {
  MAX_CHANGES_PER_BATCH,
  MAX_ENTRIES_PER_BATCH,
  MAX_ENTRIES_PER_PACK,
  MAX_OPENED_PER_BATCH,
} from "#domain/transfers/limits.ts";
import { utf8Length } from "#domain/transfers/paths.ts";
import { toRunsInOrder } from "#domain/transfers/runs.ts";
import { KIB } from "#domain/units.ts";
import type { AnnouncedEntry, TransferBatch, CompletedObjectPart } from "#domain/wire.ts";

/** JSON of the entries that a batch announces; the server takes 256 KB for a batch as a whole. */
export const BATCH_ENTRIES_BYTES = 200 * KIB;
/** JSON of entries and opened objects. What remains is enough for the rest, which is bounded by its count. */
const BATCH_LISTS_BYTES = 216 * KIB;
/** An announced entry without its path: numbers, type and punctuation. */
const ENTRY_BYTES = 64;
/** A run of an object: two numbers and punctuation. */
const RUN_BYTES = 14;
/** Marks of sealed entries that the completed parts of one batch bring, unless a single one has more: at most 18 KB. */
const MAX_MARKS = MAX_ENTRIES_PER_PACK;

interface PendingObject {
  runs: [number, number][];
  /** The largest entry number. */
  lastEntry: number;
  sizeBytes: number;
}

/** What the next batches will say. Whoever takes a batch sends it, unchanged, until it has an answer. */
export class BatchQueue {
  readonly #describe: (n: number) => AnnouncedEntry;
  #announced = 0;
  #known = 0;
  readonly #open = new Map<number, PendingObject>();
  readonly #sign = new Map<number, Set<number>>();
  #receipts: CompletedObjectPart[] = [];
  readonly #sums = new Map<number, string>();
  readonly #drop = new Set<number>();
  readonly #remove = new Set<number>();

  /** @param describe an entry by its number */
  constructor(describe: (n: number) => AnnouncedEntry) {
    this.#describe = describe;
  }

  /** Entries below this number are announced, or in a batch that was taken. */
  get announced(): number {
    return this.#announced;
  }

  /** Whether something waits that should not wait longer. */
  get isUrgent(): boolean {
    const canOpen = [...this.#open.values()].some(({ lastEntry }) => lastEntry < this.#known);
    return this.hasListChanges || canOpen || this.#sign.size > 0 || this.#hasManyReceipts;
  }

  get #hasManyReceipts(): boolean {
    return this.#receipts.length >= MAX_COMPLETED_PARTS_PER_CALL || this.#countReceipts() < this.#receipts.length;
  }

  /** Whether the server is to be told of other entries, or of bytes that do not come. */
  get hasListChanges(): boolean {
    return this.#announced < this.#known || this.#remove.size > 0 || this.#drop.size > 0;
  }

  get isEmpty(): boolean {
    return this.isReadyToFinish && this.#receipts.length === 0;
  }

  /** Whether nothing waits but completed parts, which a finish may bring. */
  get isReadyToFinish(): boolean {
    return !this.isUrgent && this.#sums.size === 0;
  }

  /** Forgets everything: a resumed transfer has its own numbers. @param announced entries that the server knows */
  restart(announced: number): void {
    this.markAnnounced(announced);
    this.#receipts = [];
    for (const waiting of [this.#open, this.#sign, this.#sums, this.#drop, this.#remove]) waiting.clear();
  }

  /** Entries below this number exist. */
  announceUpTo(known: number): void {
    this.#known = known;
  }

  /** Entries below this number have been announced, by a call that was not one of the queue's batches. */
  markAnnounced(announced: number): void {
    this.#announced = announced;
    this.#known = announced;
  }

  /** Opens an object, and fetches the URLs of its first parts. */
  open(object: number, numbers: readonly number[], sizeBytes: number): void {
    const runs = toRunsInOrder(numbers).map(([first, count]): [number, number] => [first, count]);
    this.#open.set(object, { runs, lastEntry: Math.max(...numbers), sizeBytes });
  }

  sign(object: number, part: number): void {
    const parts = this.#sign.get(object);
    if (parts) parts.add(part);
    else this.#sign.set(object, new Set([part]));
  }

  addReceipt(receipt: CompletedObjectPart): void {
    this.#receipts.push(receipt);
  }

  addSum(n: number, sha256: string): void {
    this.#sums.set(n, sha256);
  }

  drop(object: number): void {
    // What the server has not heard of needs no end.
    if (!this.#open.delete(object)) this.#drop.add(object);
    this.#sign.delete(object);
    this.#receipts = this.#receipts.filter((receipt) => receipt.object !== object);
  }

  remove(n: number): void {
    this.#remove.add(n);
    this.#sums.delete(n);
  }

  /** @returns the completed parts of a finish */
  takeReceipts(): CompletedObjectPart[] {
    return this.#receipts.splice(0, this.#countReceipts());
  }

  /** How many fit into one call. */
  #countReceipts(): number {
    let marks = 0;
    for (const [index, receipt] of this.#receipts.entries()) {
      marks += receipt.marks?.length ?? 0;
      if (index > 0 && (marks > MAX_MARKS || index === MAX_COMPLETED_PARTS_PER_CALL)) return index;
    }
    return this.#receipts.length;
  }

  /** The next batch; an empty one asks what is stored. */
  take(maxOpened = MAX_OPENED_PER_BATCH): TransferBatch {
    const remove = this.#takeRemoved();
    // A file that is sent again has the path of a removed entry, so that removal has to come first.
    const mustWait = [...this.#remove].some((n) => n < this.#announced);
    const from = this.#announced;
    const { list, bytes } = mustWait ? { list: [], bytes: 0 } : this.#takeEntries(remove.length);
    remove.push(...this.#takeRemoved(MAX_CHANGES_PER_BATCH - remove.length));
    const sign = this.#takeParts();
    return {
      ...(list.length > 0 ? { entries: { from, list } } : {}),
      open: this.#takeOpened(maxOpened, BATCH_LISTS_BYTES - bytes, sign),
      sign,
      receipts: this.takeReceipts(),
      sums: this.#takeSums(),
      drop: takeFirst(this.#drop, MAX_CHANGES_PER_BATCH),
      remove,
    };
  }

  #takeSums(): TransferBatch["sums"] {
    const sums = [...this.#sums].slice(0, MAX_CHANGES_PER_BATCH);
    for (const [n] of sums) this.#sums.delete(n);
    return sums.map(([n, sha256]) => ({ n, sha256 }));
  }

  #takeRemoved(maxCount = MAX_CHANGES_PER_BATCH): number[] {
    const numbers = [...this.#remove].filter((n) => n < this.#announced).slice(0, maxCount);
    for (const n of numbers) this.#remove.delete(n);
    return numbers;
  }

  /** @param removals that the batch says already */
  #takeEntries(removals: number): { list: AnnouncedEntry[]; bytes: number } {
    const list: AnnouncedEntry[] = [];
    const removedPaths = new Set<string>();
    let bytes = 0;
    while (this.#announced < this.#known && list.length < MAX_ENTRIES_PER_BATCH) {
      const entry = this.#describe(this.#announced);
      // The server removes after it announces: a file sent again waits for the next batch.
      if (removedPaths.has(entry[0])) break;
      if (this.#remove.has(this.#announced)) {
        // What is announced and not yet removed would count against the totals.
        if (removals + removedPaths.size === MAX_CHANGES_PER_BATCH) break;
        removedPaths.add(entry[0]);
      }
      const entryBytes = announcementBytes(entry);
      if (bytes + entryBytes > BATCH_ENTRIES_BYTES && list.length > 0) break;
      bytes += entryBytes;
      list.push(entry);
      this.#announced += 1;
    }
    return { list, bytes };
  }

  #takeOpened(maxCount: number, maxBytes: number, sign: TransferBatch["sign"]): TransferBatch["open"] {
    const opened: TransferBatch["open"] = [];
    let bytes = maxBytes;
    let urls = MAX_PARTS_PER_SIGNING - sign.reduce((sum, { parts }) => sum + parts.length, 0);
    for (const [object, { runs, lastEntry, sizeBytes }] of this.#open) {
      bytes -= runs.length * RUN_BYTES;
      urls -= Math.min(planParts(sizeBytes).partCount, PARTS_SIGNED_AT_START);
      if (opened.length === maxCount || bytes < 0 || urls < 0) break;
      if (lastEntry >= this.#announced) continue;
      opened.push({ object, runs });
      this.#open.delete(object);
    }
    return opened;
  }

  #takeParts(): TransferBatch["sign"] {
    const taken: TransferBatch["sign"] = [];
    let left = MAX_PARTS_PER_SIGNING;
    for (const [object, parts] of this.#sign) {
      if (left === 0) break;
      const signed = takeFirst(parts, left);
      left -= signed.length;
      taken.push({ object, parts: signed });
      if (parts.size === 0) this.#sign.delete(object);
    }
    return taken;
  }
}

/** @returns how many bytes of JSON it takes at most */
export function announcementBytes([path, , , type = ""]: AnnouncedEntry): number {
  return utf8Length(path) + type.length + ENTRY_BYTES;
}

function takeFirst<Value>(from: Set<Value>, maxCount: number): Value[] {
  const taken = [...from].slice(0, maxCount);
  for (const value of taken) from.delete(value);
  return taken;
}
