import { portablePaths } from "#domain/transfers/portable-paths.ts";
import type { Replacement } from "./announcer.ts";
import type { EntrySources } from "./entry-sources.ts";
import type { TransferEntries } from "./transfer-entries.ts";
import type { TransferListEntry } from "./transfer-list.ts";

interface Additions {
  added: TransferListEntry[];
  /** Files for entries that wait for one. */
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
