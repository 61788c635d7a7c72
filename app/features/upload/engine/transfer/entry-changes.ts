import { UploadError } from "../errors.ts";
import type { AnnouncedList } from "./announced-list.ts";
import type { BatchQueue } from "./batch-queue.ts";
import type { BatchSender } from "./batch-sender.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { ObjectSender } from "./object-sender.ts";
import { planAdditions } from "./plan-additions.ts";
import { NOTHING } from "./transfer-api.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

interface Options {
  entries: TransferEntries;
  sources: EntrySources;
  list: AnnouncedList;
  queue: BatchQueue;
  sender: ObjectSender;
  /** Settles when the transfer has started, or never will. */
  batches: Promise<BatchSender>;
  onChange(): void;
}

/** What the person changes in a transfer while it is sent. */
export class EntryChanges {
  readonly #options: Options;
  /** Additions follow each other. */
  #lastAddition: Promise<void> = Promise.resolve();
  #additions = 0;
  #isFinishing = false;
  /** Entries that were removed while the server finished the transfer. */
  readonly #late = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether files are about to be added. */
  get isAdding(): boolean {
    return this.#additions > 0;
  }

  /** Whether the server is about to end the transfer. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  /** The server takes no batches from now on. */
  beginFinish(): void {
    this.#isFinishing = true;
  }

  /** The server takes batches again. */
  resume(): void {
    this.#isFinishing = false;
    for (const n of this.takeLateRemovals()) this.#options.queue.remove(n);
  }

  /** Entries that the finished transfer still has. */
  takeLateRemovals(): number[] {
    const numbers = [...this.#late];
    this.#late.clear();
    return numbers;
  }

  /** @throws ApiError, UploadError; then nothing was added */
  add(list: readonly TransferListEntry[]): Promise<void> {
    this.#additions += 1;
    const added = this.#lastAddition
      .then(() => this.#add(list))
      .finally(() => {
        this.#additions -= 1;
        this.#options.onChange();
      });
    this.#lastAddition = added.catch(() => undefined);
    return added;
  }

  remove(n: number): void {
    const { entries, list, sender, onChange } = this.#options;
    if (entries.isIn(n, "removed")) return;
    if (this.#isFinishing) {
      entries.setPhase(n, "removed");
      this.#late.add(n);
    } else {
      list.remove(n);
      sender.cease(n);
    }
    onChange();
  }

  /** @param file what the person chose again */
  retry(n: number, file?: File): void {
    const { entries, sources, onChange } = this.#options;
    const path = entries.path(n);
    const { reload } = sources.get(n) ?? {};
    if (file) this.#replace(n, fromFile(path, file));
    else {
      reload?.().then(
        (fresh) => {
          this.#replace(n, { ...fromFile(path, fresh), reload });
        },
        () => {
          if (entries.isIn(n, "changed")) entries.setPhase(n, "unreadable");
          onChange();
        },
      );
    }
  }

  async #add(chosen: readonly TransferListEntry[]): Promise<void> {
    const { entries, list, queue, sender } = this.#options;
    const batches = await this.#options.batches;
    if (this.#isFinishing) throw new UploadError((t) => t("tooLateToAdd"));
    const { added, retried } = planAdditions(entries, queue.announced, chosen);
    if (added.length > 0) {
      // The plan may refuse them.
      await batches.send({ ...NOTHING, totals: list.totalsWith(added) });
      list.append(added);
      // Files that were retried meanwhile count, too.
      queue.setTotals(list.totals);
    }
    for (const { n, entry } of retried) if (entries.isIn(n, "changed", "unreadable")) list.replace(n, entry);
    sender.replan();
  }

  #replace(n: number, entry: TransferListEntry): void {
    const { entries, list, sender, onChange } = this.#options;
    if (!entries.isIn(n, "changed", "unreadable")) return;
    list.replace(n, entry);
    sender.replan();
    onChange();
  }
}

function fromFile(path: string, file: File): TransferListEntry {
  return { path, file, sizeBytes: file.size, modifiedMs: Math.trunc(file.lastModified) };
}
