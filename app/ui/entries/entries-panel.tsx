import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo, type ReactNode } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import type { ListedEntries, ListedEntry } from "#domain/wire.ts";
import type { TreeFolder } from "./entry-folders.ts";
import { EntryTree } from "./entry-tree.tsx";
import { EntryCells, FolderCells, RowNote, type OwnedEntry } from "./owned-cells.tsx";

interface EntriesPanelProps {
  /** Names the tree for screen readers. */
  label: string;
  queryKey: readonly unknown[];
  /** @param from entry number @throws ApiError */
  fetchEntries(from: number): Promise<ListedEntries>;
  /** Of the transfer's link, to which the names lead; null once it has ended. */
  downloadId: string | null;
  /** The button of a file, or an empty folder, that is there. The same function as long as it draws the same. */
  renderButton(entry: OwnedEntry): ReactNode;
}

/** The list of a transfer for its owner or an administrator, loaded as it scrolls into view. */
export function EntriesPanel({ label, queryKey, fetchEntries, downloadId, renderButton }: EntriesPanelProps) {
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
  const renderEntry = useCallback(
    (entry: OwnedEntry) => <EntryCells entry={entry}>{renderButton(entry)}</EntryCells>,
    [renderButton],
  );
  const hrefOf = useCallback(
    ({ n, path, state }: OwnedEntry) =>
      downloadId === null || state !== "stored" || path.endsWith("/")
        ? null
        : `/api/files/download/${downloadId}/entries/${n}/content`,
    [downloadId],
  );
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
          renderEntry={renderEntry}
          renderFolder={renderFolder}
          renderNote={renderNote}
          hrefOf={hrefOf}
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

const renderFolder = (folder: TreeFolder<OwnedEntry>) => <FolderCells folder={folder} />;
const renderNote = (item: OwnedEntry | TreeFolder<OwnedEntry>) => <RowNote item={item} />;

function nextEntry(entries: ListedEntry[], pages: ListedEntries[]): number | undefined {
  const last = entries.at(-1);
  const loaded = pages.reduce((sum, page) => sum + page.entries.length, 0);
  return last && loaded < (pages[0]?.total ?? 0) ? last.n + 1 : undefined;
}

function toOwned(entry: ListedEntry): OwnedEntry {
  return { ...entry, sizeBytes: entry.size };
}
