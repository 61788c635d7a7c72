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
  /** Resolves when the transfer has started; rejects if it never will. */
  batches: Promise<BatchSender>;
  signal: AbortSignal;
  onChange(): void;
  onError(error: unknown): void;
}

/** Adds, removes and replaces files of a transfer while it is being sent. */
export class EntryChanges {
  readonly #options: Options;
  readonly #announcer: Announcer;
  /** Announcements run one after another. */
  #line: Promise<unknown> = Promise.resolve();
  #announcements = 0;
  /** Replacement files that wait to be announced, by the number of their entry. */
  readonly #retries = new Map<number, TransferListEntry>();
  #isFinishing = false;
  /** The entries that were removed while the server finished the transfer. */
  readonly #late = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
    this.#announcer = new Announcer(options);
  }

  /** Whether files are being announced. */
  get isAnnouncing(): boolean {
    return this.#announcements > 0;
  }

  /** Whether the call that finishes the transfer has begun. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  /** Notes that the server takes no more batches. */
  beginFinish(): void {
    this.#isFinishing = true;
  }

  /** Notes that the server takes batches again. */
  resume(): void {
    this.#isFinishing = false;
    for (const n of this.takeLateRemovals()) this.#options.queue.remove(n);
  }

  /** Takes the removed entries that the finished transfer still has. */
  takeLateRemovals(): number[] {
    const numbers = [...this.#late];
    this.#late.clear();
    return numbers;
  }

  /**
   * Adds files after the start and after earlier additions. @returns the announced files, with their paths in the
   * transfer. Files that the transfer already has are not announced @throws ApiError, UploadError; then nothing was
   * added
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

  /** Sends an entry again. @param file the file that the person chose instead */
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

  /** Files that come while others are being announced go together into the next batch. */
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

  /**
   * Runs an announcement after the earlier ones. After a refusal the transfer goes on; other errors end the transfer.
   */
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
  /** The files that replace entries which could not be sent. */
  retried: Replacement[];
}

/**
 * Finds the files of a list that are new to a transfer. A file with the path of an entry that could not be sent
 * replaces the entry. Any other file with a taken name gets a number, as does a folder with the name of a file. A file
 * with the same path, size and date is left out.
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

/** @returns the added paths. A folder with the name of an existing file becomes "name (2)" in all its paths */
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

/** @returns the path, without a slash at its end, and the paths of its folders, in lower case */
function namesIn(path: string): string[] {
  const segments = path.toLowerCase().replace(/\/$/, "").split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}
