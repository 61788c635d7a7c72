import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import type { ListedEntries, ListedEntry } from "#domain/wire.ts";
import type { TreeEntry, TreeFolder } from "./entry-folders.ts";
import { EntryTree } from "./entry-tree.tsx";

/** An entry as its owner and administrators see it. */
export type OwnedEntry = ListedEntry & TreeEntry;

interface EntriesPanelProps {
  /** Names the tree for screen readers. */
  label: string;
  queryKey: readonly unknown[];
  /** @param from entry number @throws ApiError */
  fetchEntries(from: number): Promise<ListedEntries>;
  renderEntry(entry: OwnedEntry): ReactNode;
  renderFolder?(folder: TreeFolder<OwnedEntry>): ReactNode;
  /** The second line of a narrow row. */
  renderNote?(item: OwnedEntry | TreeFolder<OwnedEntry>): ReactNode;
  hrefOf?(entry: OwnedEntry): string | null;
}

/** The list of a transfer for its owner or an administrator, loaded as it scrolls into view. */
export function EntriesPanel({ label, queryKey, fetchEntries, ...rows }: EntriesPanelProps) {
  const t = useMessages("transfers");
  const tCommon = useMessages("common");
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchEntries(pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ entries }: ListedEntries, pages: ListedEntries[]) => nextEntry(entries, pages),
    gcTime: 0,
  });
  const entries = useMemo(() => list.data?.pages.flatMap((page) => page.entries.map(toOwned)) ?? [], [list.data]);
  if (list.isPending) {
    return (
      <p role="status" className="p-3 text-sm text-muted">
        {t("listLoading")}
      </p>
    );
  }
  return (
    <>
      {list.data && entries.length === 0 && <p className="p-3 text-sm text-muted">{t("listGone")}</p>}
      {entries.length > 0 && (
        <EntryTree
          label={label}
          entries={entries}
          total={list.hasNextPage ? (list.data?.pages[0]?.total ?? entries.length) : entries.length}
          onEndVisible={() => {
            if (!list.isFetching && !list.isError) void list.fetchNextPage();
          }}
          {...rows}
        />
      )}
      {list.isError && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 p-3 text-sm">
          <span>{messageOf(list.error, t("listFailed"))}</span>
          <Button
            look="quiet"
            onClick={() => {
              void (list.data ? list.fetchNextPage() : list.refetch());
            }}
          >
            {tCommon("tryAgain")}
          </Button>
        </div>
      )}
    </>
  );
}

function nextEntry(entries: ListedEntry[], pages: ListedEntries[]): number | undefined {
  const last = entries.at(-1);
  const loaded = pages.reduce((sum, page) => sum + page.entries.length, 0);
  return last && loaded < (pages[0]?.total ?? 0) ? last.n + 1 : undefined;
}

function toOwned(entry: ListedEntry): OwnedEntry {
  return { ...entry, sizeBytes: entry.size };
}
