import { portablePaths } from "#domain/transfers/portable-paths.ts";
import { UploadError } from "../errors.ts";
import type { AnnouncedList } from "./announced-list.ts";
import { Announcer, isRefusal, type Replacement } from "./announcer.ts";
import type { BatchQueue } from "./batch-queue.ts";
import type { BatchSender } from "./batch-sender.ts";
import type { EntryForm, EntrySources } from "./entry-sources.ts";
import type { ObjectSender } from "./object-sender.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import { toEntry, type TransferListEntry } from "./transfer-list.ts";

interface Options {
  entries: TransferEntries;
  sources: EntrySources;
  list: AnnouncedList;
  queue: BatchQueue;
  sender: ObjectSender;
  form: EntryForm;
  /** Settles when the transfer has started, or never will. */
  batches: Promise<BatchSender>;
  signal: AbortSignal;
  onChange(): void;
  onError(error: unknown): void;
}

/** What the person changes in a transfer while it is sent. */
export class EntryChanges {
  readonly #options: Options;
  readonly #announcer: Announcer;
  /** Announcements follow each other. */
  #line: Promise<unknown> = Promise.resolve();
  #announcements = 0;
  /** Files that wait for their turn to be sent again, by their entries. */
  readonly #retries = new Map<number, TransferListEntry>();
  #isFinishing = false;
  /** Entries that were removed while the server finished the transfer. */
  readonly #late = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
    this.#announcer = new Announcer(options);
  }

  /** Whether files are about to be announced. */
  get isAnnouncing(): boolean {
    return this.#announcements > 0;
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

  /**
   * Waits for the start, and for additions before.
   * @returns what was announced, with the paths that it has now. Files that the transfer has already are not announced
   * @throws ApiError, UploadError; then nothing was added
   */
  async add(list: readonly TransferListEntry[]): Promise<TransferListEntry[]> {
    try {
      return await this.#inLine((batches) => this.#add(batches, list));
    } catch (error) {
      throw this.#options.signal.aborted ? new UploadError({ code: "stoppedBeforeAdding" }) : error;
    }
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
    if (file) this.#announceAgain({ n, entry: toEntry(path, { file }) });
    else {
      reload?.().then(
        (fresh) => this.#announceAgain({ n, entry: toEntry(path, { file: fresh, reload }) }),
        () => {
          if (entries.isIn(n, "changed")) entries.setPhase(n, "unreadable");
          onChange();
        },
      );
    }
  }

  async #add(batches: BatchSender, chosen: readonly TransferListEntry[]): Promise<TransferListEntry[]> {
    const { entries, sources } = this.#options;
    const { added, retried } = planAdditions(entries, sources, chosen);
    await this.#replace(batches, retried);
    if (added.length > 0) await this.#announcer.add(batches, added);
    const sentAgain = retried.filter(({ n }) => entries.isIn(n, "removed"));
    return [...sentAgain.map(({ entry }) => entry), ...added];
  }

  /** Files that come while others are announced go together in the next call. */
  #announceAgain({ n, entry }: Replacement): void {
    this.#retries.set(n, entry);
    this.#inLine((batches) => {
      const waiting = Array.from(this.#retries, ([number, file]) => ({ n: number, entry: file }));
      this.#retries.clear();
      return this.#replace(batches, waiting);
    }).catch(() => undefined);
  }

  #replace(batches: BatchSender, replacements: readonly Replacement[]): Promise<void> {
    const { entries, sources, onChange } = this.#options;
    return this.#announcer.replace(batches, replacements, ({ n, entry }, refusal) => {
      if (entries.isIn(n, "removed")) return;
      sources.offer(n, entry);
      entries.setPhase(n, "changed", refusal);
      onChange();
    });
  }

  /** Only a refused announcement lets the transfer go on. */
  async #inLine<Result>(announce: (batches: BatchSender) => Promise<Result>): Promise<Result> {
    const { signal, onChange, onError } = this.#options;
    this.#announcements += 1;
    const done = this.#line.then(async () => {
      const batches = await this.#options.batches;
      if (this.#isFinishing) throw new UploadError({ code: "tooLateToAdd" });
      await this.#announcer.settle(batches).catch((error: unknown) => {
        onError(error);
        throw error;
      });
      return announce(batches);
    });
    this.#line = done.catch(() => undefined);
    try {
      return await done;
    } catch (error) {
      if (!signal.aborted && !isRefusal(error) && !(error instanceof UploadError)) onError(error);
      throw error;
    } finally {
      this.#announcements -= 1;
      onChange();
    }
  }
}

interface Additions {
  added: TransferListEntry[];
  /** Files that were chosen for entries that wait for one. */
  retried: Replacement[];
}

/**
 * What of a list is new to a transfer. A file with the path of one that could not be sent takes its place. Others whose
 * name is taken get a number, and so does a folder with the name of a file. The same file again, by path, size and date,
 * is left out.
 */
export function planAdditions(
  entries: TransferEntries,
  sources: EntrySources,
  list: readonly TransferListEntry[],
): Additions {
  const present = Array.from({ length: entries.length }, (_, n) => n).filter((n) => !entries.isIn(n, "removed"));
  const waiting = new Map(
    present.filter((n) => entries.isIn(n, "changed", "unreadable")).map((n) => [entries.path(n), n]),
  );
  const retried: Replacement[] = [];
  const others: TransferListEntry[] = [];
  for (const entry of list) {
    const n = waiting.get(entry.path);
    if (n !== undefined) retried.push({ n, entry });
    else others.push(entry);
  }
  const known = new Set(present.map((n) => keyOf(sources.get(n))));
  const fresh = others.filter((entry) => !known.has(keyOf(entry)));
  const taken = present.map((n) => entries.path(n));
  const renamed = renameFolders(
    taken,
    fresh.map(({ path }) => path),
  );
  const names = [...taken, ...renamed];
  const { paths } = portablePaths(names.map((path) => ({ path, isFolder: path.endsWith("/") })));
  const added = fresh.map((entry, index) => ({ ...entry, path: paths[taken.length + index] ?? entry.path }));
  return { added, retried };
}

function keyOf(entry: TransferListEntry | null): string {
  return entry ? `${entry.path}\n${entry.sizeBytes}\n${entry.modifiedMs}` : "";
}

/** @returns the added paths. A folder that would have the name of a file that is there is "name (2)", for all its files */
function renameFolders(taken: readonly string[], added: readonly string[]): string[] {
  const files = new Set(taken.filter((path) => !path.endsWith("/")).map((path) => path.toLowerCase()));
  const names = new Set([...taken, ...added].flatMap(namesIn));
  const renamed = new Map<string, string>();
  const freeName = (folder: string): string => {
    for (let number = 2; ; number += 1) {
      const name = `${folder} (${number})`;
      const key = name.toLowerCase();
      if (names.has(key)) continue;
      names.add(key);
      return name;
    }
  };
  return added.map((path) => {
    const segments = path.split("/");
    const name = segments.pop() ?? "";
    let folder = "";
    for (const segment of segments) {
      const key = `${folder}${segment}`.toLowerCase();
      if (files.has(key) && !renamed.has(key)) renamed.set(key, freeName(`${folder}${segment}`));
      folder = `${renamed.get(key) ?? `${folder}${segment}`}/`;
    }
    return `${folder}${name}`;
  });
}

/** In lower case: the path without a slash at its end, and its folders. */
function namesIn(path: string): string[] {
  const segments = path.toLowerCase().replace(/\/$/, "").split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
