import { useQueryClient, type InfiniteData } from "@tanstack/react-query";
import type { ListedEntries } from "#domain/wire.ts";

/** @param queryKey of an `EntriesPanel` @returns shows this entry number as removed, without loading the list again */
export function useMarkRemoved(queryKey: readonly unknown[]): (n: number) => void {
  const queries = useQueryClient();
  return (n) => {
    queries.setQueryData<InfiniteData<ListedEntries>>(queryKey, (list) => list && withRemoved(list, n));
  };
}

function withRemoved(list: InfiniteData<ListedEntries>, n: number): InfiniteData<ListedEntries> {
  const pages = list.pages.map(({ entries, total }) => ({
    total,
    entries: entries.map((entry) => (entry.n === n ? { ...entry, state: "removed" as const } : entry)),
  }));
  return { ...list, pages };
}
