import { useInfiniteQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useCallback, useMemo, type ReactNode } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { formatBytes } from "#domain/units.ts";
import type { ListedEntries, ListedEntry } from "#domain/wire.ts";
import { countFiles } from "./count-files.ts";
import type { TreeFolder, TreeEntry } from "./entry-folders.ts";
import { EntryTree } from "./entry-tree.tsx";

interface EntriesPanelProps {
  /** Names the tree for screen readers. */
  label: string;
  queryKey: readonly unknown[];
  /** @param from number of the first entry to read @throws ApiError */
  fetchEntries(from: number): Promise<ListedEntries>;
  /** The id of the transfer's link, to which the names of entries lead. Null once the link has ended. */
  downloadId: string | null;
  /**
   * Renders the button of an entry that is not removed. If the caller passes a new function, all rows are drawn again.
   */
  renderButton(entry: OwnedEntry): ReactNode;
}

/** A transfer's list of entries for its owner or an administrator. More entries load as the list is scrolled. */
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

/** An entry with the fields that only its owner and administrators see. */
export type OwnedEntry = ListedEntry & TreeEntry;

/** @param children an `EntryButton` */
function EntryCells({ entry, children }: { entry: OwnedEntry; children: ReactNode }) {
  const t = useMessages("transfers");
  if (entry.state === "removed") return <span className="px-3">{t("removed")}</span>;
  const isFolder = entry.path.endsWith("/");
  return (
    <>
      {!isFolder && <DownloadCount count={entry.downloads ?? 0} />}
      <span className="hidden min-w-18 text-end sm:inline">
        {isFolder ? t("emptyFolder") : formatBytes(entry.sizeBytes, t.locale)}
      </span>
      {children}
    </>
  );
}

interface EntryButtonProps {
  label: string;
  onClick(button: HTMLElement): void;
  /** The button's icon. */
  children: ReactNode;
}

export function EntryButton({ label, onClick, children }: EntryButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-11 cursor-pointer place-items-center rounded-xl hover:text-danger"
      onClick={(event) => onClick(event.currentTarget)}
    >
      {children}
    </button>
  );
}

/** The number of downloads as an icon with a number; screen readers get the full text. */
function DownloadCount({ count }: { count: number }) {
  const t = useMessages("transfers");
  const text = t("entryDownloads", { count });
  return (
    <span className="inline-flex items-center gap-1" title={text}>
      <Download size={14} aria-hidden />
      <span aria-hidden>{count.toLocaleString(t.locale)}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

function FolderCells({ folder }: { folder: TreeFolder<OwnedEntry> }) {
  const t = useMessages("transfers");
  return (
    <span className="hidden items-center gap-2 sm:flex">
      <span>{t("fileCount", { count: countFiles(leftOf(folder)) })}</span>
      <span className="min-w-18 text-end">{formatBytes(sizeOf(folder), t.locale)}</span>
      {/* Takes the width of a file's button, so that the columns align. */}
      <span className="w-11" />
    </span>
  );
}

/** The text below an entry's name, on narrow screens only: its size or state. */
function RowNote({ item }: { item: OwnedEntry | TreeFolder<OwnedEntry> }) {
  const t = useMessages("transfers");
  if (!("entries" in item)) {
    if (item.state === "removed") return null;
    return item.path.endsWith("/") ? t("emptyFolder") : formatBytes(item.sizeBytes, t.locale);
  }
  return t("countAndSize", { count: countFiles(leftOf(item)), size: formatBytes(sizeOf(item), t.locale) });
}

function leftOf({ entries }: TreeFolder<OwnedEntry>): OwnedEntry[] {
  return entries.filter(({ state }) => state !== "removed");
}

function sizeOf(folder: TreeFolder<OwnedEntry>): number {
  return leftOf(folder).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** @param queryKey of an `EntriesPanel` @returns a function that marks the entry with a number as removed */
export function useMarkRemoved(queryKey: readonly unknown[]): (n: number) => void {
  const queries = useQueryClient();
  return (n) => queries.setQueryData<InfiniteData<ListedEntries>>(queryKey, (list) => list && withRemoved(list, n));
}

function withRemoved(list: InfiniteData<ListedEntries>, n: number): InfiniteData<ListedEntries> {
  const pages = list.pages.map(({ entries, total }) => ({
    total,
    entries: entries.map((entry) => (entry.n === n ? { ...entry, state: "removed" as const } : entry)),
  }));
  return { ...list, pages };
}
