import { portablePaths } from "#domain/transfers/portable-paths.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

interface Additions {
  added: TransferListEntry[];
  /** Files for entries that wait for one. */
  retried: { n: number; entry: TransferListEntry }[];
}

/**
 * What of a list is new to a transfer. A file that could not be read before takes its place again; one that has the
 * name of another gets a number.
 * @param announced entries below this number are announced
 */
export function planAdditions(
  entries: TransferEntries,
  announced: number,
  list: readonly TransferListEntry[],
): Additions {
  // A removed entry that was not announced keeps its path until the server knows of both.
  const present = Array.from({ length: entries.length }, (_, n) => n).filter(
    (n) => n >= announced || !entries.isIn(n, "removed"),
  );
  const waiting = new Map(
    present.filter((n) => entries.isIn(n, "changed", "unreadable")).map((n) => [entries.path(n), n]),
  );
  const retried = list.flatMap((entry) => {
    const n = waiting.get(entry.path);
    return n === undefined ? [] : [{ n, entry }];
  });
  const others = list.filter(({ path }) => !waiting.has(path));
  const names = [...new Set(present.map((n) => entries.path(n))), ...others.map(({ path }) => path)];
  const { paths } = portablePaths(names.map((path) => ({ path, isFolder: path.endsWith("/") })));
  const ofOthers = paths.slice(names.length - others.length);
  const added = others.map((entry, index) => ({ ...entry, path: ofOthers[index] ?? entry.path }));
  return { added, retried };
}
