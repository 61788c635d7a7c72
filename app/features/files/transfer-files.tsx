import { useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { DownloadCount } from "#app/ui/entries/download-count.tsx";
import { EntriesPanel, type OwnedEntry } from "#app/ui/entries/entries-panel.tsx";
import { nameOf as nameOfPath, type TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedEntries, ListedFile } from "#domain/wire.ts";
import { nameOf } from "./file-name.ts";
import { filesApi } from "./files-api.ts";
import { RemoveEntry } from "./remove-entry.tsx";

/** The files of a transfer, with their downloads, to remove single ones. */
export default function TransferFiles({ file }: { file: ListedFile }) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { downloadId } = file;
  const [removing, setRemoving] = useState<{ entry: OwnedEntry; row: HTMLElement | null } | null>(null);
  const renderEntry = useCallback(
    (entry: OwnedEntry) => (
      <EntryCells
        entry={entry}
        onRemove={(button) => {
          setRemoving({ entry, row: button.closest<HTMLElement>("[role=row]") });
        }}
      />
    ),
    [],
  );
  const renderFolder = useCallback(
    (folder: TreeFolder<OwnedEntry>) => {
      const [first] = folder.entries;
      return first && isEmptyFolder(folder) ? renderEntry(first) : <FolderCells folder={folder} />;
    },
    [renderEntry],
  );
  const markRemoved = (n: number) => {
    queries.setQueryData<InfiniteData<ListedEntries>>([...queryKeys.entries, downloadId], (list) => {
      if (!list) return list;
      const pages = list.pages.map(({ entries, total }) => ({
        total,
        entries: entries.map((entry) => (entry.n === n ? { ...entry, state: "removed" as const } : entry)),
      }));
      return { ...list, pages };
    });
  };
  return (
    <>
      <EntriesPanel
        label={t("filesOf", { title: nameOf(file) })}
        queryKey={[...queryKeys.entries, downloadId]}
        fetchEntries={(from) => filesApi.entries(downloadId, from)}
        renderEntry={renderEntry}
        renderFolder={renderFolder}
        renderNote={renderNote}
        hrefOf={(entry) => hrefOf(downloadId, entry)}
      />
      {removing && (
        <RemoveEntry
          file={file}
          entry={removing.entry}
          focusAfter={() => removing.row}
          onRemoved={() => {
            markRemoved(removing.entry.n);
          }}
          onClose={() => {
            setRemoving(null);
          }}
        />
      )}
    </>
  );
}

const renderNote = (item: OwnedEntry | TreeFolder<OwnedEntry>) => <RowNote item={item} />;

function hrefOf(downloadId: string, { n, path, state }: OwnedEntry): string | null {
  return state === "stored" && !path.endsWith("/") ? `/api/files/download/${downloadId}/entries/${n}/content` : null;
}

function EntryCells({ entry, onRemove }: { entry: OwnedEntry; onRemove(button: HTMLElement): void }) {
  const t = useMessages("files");
  const tTransfers = useMessages("transfers");
  if (entry.state === "removed") return <span className="px-3">{tTransfers("removed")}</span>;
  const isFolder = entry.path.endsWith("/");
  return (
    <>
      {!isFolder && <DownloadCount count={entry.downloads ?? 0} />}
      <span className="hidden min-w-18 text-end sm:inline">
        {isFolder ? tTransfers("emptyFolder") : formatBytes(entry.sizeBytes, t.locale)}
      </span>
      <button
        type="button"
        aria-label={t("removeEntry", { name: nameOfPath(entry.path) })}
        className="grid size-11 cursor-pointer place-items-center rounded-xl hover:text-danger"
        onClick={(event) => {
          onRemove(event.currentTarget);
        }}
      >
        <Trash2 size={18} aria-hidden />
      </button>
    </>
  );
}

function FolderCells({ folder }: { folder: TreeFolder<OwnedEntry> }) {
  const t = useMessages("files");
  return (
    <span className="hidden items-center gap-2 sm:flex">
      <span>{t("fileCount", { count: leftOf(folder).length })}</span>
      <span className="min-w-18 text-end">{formatBytes(sizeOf(folder), t.locale)}</span>
      {/* As wide as a file's button. */}
      <span className="w-11" />
    </span>
  );
}

/** The second line of a narrow row. */
function RowNote({ item }: { item: OwnedEntry | TreeFolder<OwnedEntry> }) {
  const t = useMessages("files");
  const tTransfers = useMessages("transfers");
  if (!("entries" in item)) return item.state === "removed" ? null : formatBytes(item.sizeBytes, t.locale);
  if (isEmptyFolder(item)) return tTransfers("emptyFolder");
  return `${t("fileCount", { count: leftOf(item).length })} · ${formatBytes(sizeOf(item), t.locale)}`;
}

function isEmptyFolder({ entries, path }: TreeFolder<OwnedEntry>): boolean {
  return entries.length === 1 && entries[0]?.path === path;
}

function leftOf({ entries }: TreeFolder<OwnedEntry>): OwnedEntry[] {
  return entries.filter(({ state }) => state !== "removed");
}

function sizeOf(folder: TreeFolder<OwnedEntry>): number {
  return leftOf(folder).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
