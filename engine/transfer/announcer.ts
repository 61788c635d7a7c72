import type { ErrorCode } from "#domain/errors.ts";
import { MAX_CHANGES_PER_BATCH, MAX_ENTRIES_PER_BATCH } from "#domain/transfers/limits.ts";
import type { Runs } from "#domain/transfers/runs.ts";
import { ApiError } from "../api-error.ts";
import type { AnnouncedList } from "./announced-list.ts";
import { announcementBytes, BATCH_ENTRIES_BYTES, type BatchQueue } from "./batch-queue.ts";
import type { BatchSender } from "./batch-sender.ts";
import type { EntryForm } from "./entry-sources.ts";
import type { ObjectSender } from "./object-sender.ts";
import { codeOf, EMPTY_BATCH } from "./transfer-api.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

/** A file that replaces an entry that could not be sent. */
export interface Replacement {
  n: number;
  entry: TransferListEntry;
}

interface Options {
  entries: TransferEntries;
  list: AnnouncedList;
  queue: BatchQueue;
  sender: ObjectSender;
  form: EntryForm;
}

/**
 * Announces added files in separate batches. If the server refuses a batch, nothing changes and the transfer goes on.
 */
export class Announcer {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Sends the queue's announcements and removals first, so that new numbers follow the last one and removed paths are
   * free.
   */
  settle(batches: BatchSender): Promise<void> {
    return batches.sendWhile(() => this.#options.queue.hasListChanges);
  }

  /**
   * Announces added files. Make one call at a time, after `settle`. @throws as `BatchSender.send`; after a refusal
   * nothing was added
   */
  async add(batches: BatchSender, added: readonly TransferListEntry[]): Promise<void> {
    const { entries, list, form } = this.#options;
    const from = entries.length;
    const totals = list.totalsWith(added);
    let count = 0;
    let stored: Runs = [];
    try {
      for (const part of cut(form, added, (entry) => entry, MAX_ENTRIES_PER_BATCH)) {
        const first = from + count;
        const announced = { from: first, list: part.map((entry, index) => form.announce(first + index, entry)) };
        ({ stored } = await batches.send({ ...EMPTY_BATCH, totals, entries: announced }));
        count += part.length;
      }
    } catch (error) {
      list.accept(added.slice(0, count), []);
      for (let n = from; n < from + count; n += 1) list.remove(n);
      throw error;
    }
    this.#accept(added, [], stored);
  }

  /**
   * Announces replacements and removes the replaced entries, in one batch or not at all. The entry of a refused file
   * stays. Make one call at a time, after `settle`. @throws as `BatchSender.send`, but no refusal
   */
  async replace(batches: BatchSender, replacements: readonly Replacement[], onRefused: Refused): Promise<void> {
    for (const part of cut(this.#options.form, replacements, ({ entry }) => entry, MAX_CHANGES_PER_BATCH)) {
      await this.#replace(batches, part, onRefused);
    }
  }

  async #replace(batches: BatchSender, wanted: readonly Replacement[], onRefused: Refused): Promise<void> {
    const { entries, list, form } = this.#options;
    const due = wanted.filter(({ n, entry }) => isWaitingForFile(entries, n, entry.path));
    const [first] = due;
    if (!first) return;
    const added = due.map(({ entry }) => entry);
    const remove = due.map(({ n }) => n);
    const totals = list.totalsWith(added, remove);
    const from = entries.length;
    const announced = { from, list: added.map((entry, index) => form.announce(from + index, entry)) };
    try {
      const { stored } = await batches.send({ ...EMPTY_BATCH, totals, remove, entries: announced });
      this.#accept(added, remove, stored);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (due.length === 1) {
        onRefused(first, error);
        return;
      }
      // A single file may be the reason for the refusal, so each half is tried alone.
      const half = Math.ceil(due.length / 2);
      await this.#replace(batches, due.slice(0, half), onRefused);
      await this.#replace(batches, due.slice(half), onRefused);
    }
  }

  /** @param stored the numbers of complete entries in the answer: empty files are complete once they are announced */
  #accept(added: readonly TransferListEntry[], replaced: readonly number[], stored: Runs): void {
    const { list, sender } = this.#options;
    list.accept(added, replaced);
    sender.markStored(stored);
    sender.replan();
  }
}

/** Called for a file that the server refused. */
type Refused = (replacement: Replacement, refusal: ApiError) => void;

/** Whether the person can still replace the entry's file. */
function isWaitingForFile(entries: TransferEntries, n: number, path: string): boolean {
  return entries.isIn(n, "changed", "unreadable") && entries.path(n) === path;
}

/** The error codes with which the server refuses files. */
const REFUSALS: readonly (ErrorCode | null)[] = ["PLAN_LIMIT_EXCEEDED", "PATH_REFUSED", "BAD_REQUEST"];

/**
 * Whether the server refused the batch and changed nothing. After any other error, it is unknown whether the server
 * changed anything.
 */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSALS.includes(codeOf(error));
}

/** Cuts a list into pieces of the size that one batch may announce. */
function* cut<Item>(
  form: EntryForm,
  items: readonly Item[],
  entryOf: (item: Item) => TransferListEntry,
  maxCount: number,
): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = announcementBytes(form.announce(0, entryOf(item)));
    if (part.length === maxCount || (part.length > 0 && bytes + itemBytes > BATCH_ENTRIES_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += itemBytes;
  }
  if (part.length > 0) yield part;
}
