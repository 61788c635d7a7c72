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

/** The most JSON for the entries of a batch. The server takes 256 KB for a whole batch. */
export const BATCH_ENTRIES_BYTES = 200 * KIB;
/**
 * The most JSON for entries and opened objects. The rest of a batch is limited by counts, and fits into the remaining
 * JSON.
 */
const BATCH_LISTS_BYTES = 216 * KIB;
/** The JSON of an announced entry without its path: numbers, type and punctuation. */
const ENTRY_BYTES = 64;
/** The JSON of a run: two numbers and punctuation. */
const RUN_BYTES = 14;
/**
 * The most marks of sealed entries in the completed parts of one batch, at most 18 KB. A single part may have more
 * marks.
 */
const MAX_MARKS = MAX_ENTRIES_PER_PACK;

interface PendingObject {
  runs: [number, number][];
  /** The largest entry number. */
  lastEntry: number;
  sizeBytes: number;
}

/** Collects the contents of the next batches. A taken batch is sent unchanged until it has an answer. */
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

  /** @param describe gives the announcement of an entry, by its number */
  constructor(describe: (n: number) => AnnouncedEntry) {
    this.#describe = describe;
  }

  /** The entries below this number are announced, or in a taken batch. */
  get announced(): number {
    return this.#announced;
  }

  /** Whether the next batch should be sent without a delay. */
  get isUrgent(): boolean {
    const canOpen = [...this.#open.values()].some(({ lastEntry }) => lastEntry < this.#known);
    return this.hasListChanges || canOpen || this.#sign.size > 0 || this.#hasManyReceipts;
  }

  get #hasManyReceipts(): boolean {
    return this.#receipts.length >= MAX_COMPLETED_PARTS_PER_CALL || this.#countReceipts() < this.#receipts.length;
  }

  /** Whether the server has to be told of new or removed entries, or of dropped objects. */
  get hasListChanges(): boolean {
    return this.#announced < this.#known || this.#remove.size > 0 || this.#drop.size > 0;
  }

  get isEmpty(): boolean {
    return this.isReadyToFinish && this.#receipts.length === 0;
  }

  /** Whether only completed parts wait, which the call that finishes the transfer may carry. */
  get isReadyToFinish(): boolean {
    return !this.isUrgent && this.#sums.size === 0;
  }

  /**
   * Empties the queue, because a resumed transfer has the server's numbers. @param announced the number of entries that
   * the server knows
   */
  restart(announced: number): void {
    this.markAnnounced(announced);
    this.#receipts = [];
    for (const waiting of [this.#open, this.#sign, this.#sums, this.#drop, this.#remove]) waiting.clear();
  }

  /** Notes that the entries below this number exist. */
  announceUpTo(known: number): void {
    this.#known = known;
  }

  /** Notes that another call has announced the entries below this number. */
  markAnnounced(announced: number): void {
    this.#announced = announced;
    this.#known = announced;
  }

  /** Queues the opening of an object, whose answer has the URLs of the object's first parts. */
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
    // The server does not know an object that was only queued, so it need not be dropped.
    if (!this.#open.delete(object)) this.#drop.add(object);
    this.#sign.delete(object);
    this.#receipts = this.#receipts.filter((receipt) => receipt.object !== object);
  }

  remove(n: number): void {
    this.#remove.add(n);
    this.#sums.delete(n);
  }

  /** @returns the completed parts for the call that finishes the transfer */
  takeReceipts(): CompletedObjectPart[] {
    return this.#receipts.splice(0, this.#countReceipts());
  }

  /** The number of completed parts that fit into one call. */
  #countReceipts(): number {
    let marks = 0;
    for (const [index, receipt] of this.#receipts.entries()) {
      marks += receipt.marks?.length ?? 0;
      if (index > 0 && (marks > MAX_MARKS || index === MAX_COMPLETED_PARTS_PER_CALL)) return index;
    }
    return this.#receipts.length;
  }

  /** Takes the next batch. An empty batch asks what is stored. */
  take(maxOpened = MAX_OPENED_PER_BATCH): TransferBatch {
    const remove = this.#takeRemoved();
    // A file that is sent again has the path of a removed entry, so the removal of that entry has to come first.
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

  /** @param removals the number of removals in the batch */
  #takeEntries(removals: number): { list: AnnouncedEntry[]; bytes: number } {
    const list: AnnouncedEntry[] = [];
    const removedPaths = new Set<string>();
    let bytes = 0;
    while (this.#announced < this.#known && list.length < MAX_ENTRIES_PER_BATCH) {
      const entry = this.#describe(this.#announced);
      // The server announces before it removes, so a file that is sent again waits for the next batch.
      if (removedPaths.has(entry[0])) break;
      if (this.#remove.has(this.#announced)) {
        // An announced entry that is not removed yet would count against the totals.
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

/** @returns the most bytes of JSON that an announced entry takes */
export function announcementBytes([path, , , type = ""]: AnnouncedEntry): number {
  return utf8Length(path) + type.length + ENTRY_BYTES;
}

function takeFirst<Value>(from: Set<Value>, maxCount: number): Value[] {
  const taken = [...from].slice(0, maxCount);
  for (const value of taken) from.delete(value);
  return taken;
}
