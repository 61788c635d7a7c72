import type { TransferList, TransferListEntry } from "#engine/transfer/transfer-list.ts";
import { listOf } from "./list-draft.ts";

type NoticeCounts = Pick<TransferList, "changedNames" | "leftOut">;

/** What was chosen for a transfer that is being sent and was not removed, by its path. */
export class ChosenFiles {
  readonly #byPath = new Map<string, TransferListEntry>();
  #counts: NoticeCounts = { changedNames: 0, leftOut: 0 };

  /** Begins anew. */
  set(list: TransferList): void {
    this.#byPath.clear();
    this.add(list.entries, list);
  }

  /** @param counts of everything, the added entries included */
  add(added: readonly TransferListEntry[], { changedNames, leftOut }: NoticeCounts): void {
    for (const entry of added) this.#byPath.set(entry.path, entry);
    this.#counts = { changedNames, leftOut };
  }

  find(path: string): TransferListEntry | undefined {
    return this.#byPath.get(path);
  }

  /** @param file what the person chose again */
  replace(path: string, file: File): void {
    const reload = this.#byPath.get(path)?.reload;
    const modifiedMs = Math.trunc(file.lastModified);
    this.#byPath.set(path, { path, file, sizeBytes: file.size, modifiedMs, reload });
  }

  remove(path: string): void {
    this.#byPath.delete(path);
  }

  /** @param left paths of entries that are not in it */
  list(left: ReadonlySet<string> = new Set()): TransferList {
    const entries = [...this.#byPath.values()].filter(({ path }) => !left.has(path));
    return { ...listOf(entries.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))), ...this.#counts };
  }
}
