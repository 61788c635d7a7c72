import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedEntry } from "#domain/wire.ts";
import { countFiles } from "./count-files.ts";
import type { TreeEntry, TreeFolder } from "./entry-folders.ts";

/** An entry as its owner and administrators see it. */
export type OwnedEntry = ListedEntry & TreeEntry;

/** @param children an `EntryButton` */
export function EntryCells({ entry, children }: { entry: OwnedEntry; children: ReactNode }) {
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
  /** An icon. */
  children: ReactNode;
}

export function EntryButton({ label, onClick, children }: EntryButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-11 cursor-pointer place-items-center rounded-xl hover:text-danger"
      onClick={(event) => {
        onClick(event.currentTarget);
      }}
    >
      {children}
    </button>
  );
}

/** In little room. */
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

export function FolderCells({ folder }: { folder: TreeFolder<OwnedEntry> }) {
  const t = useMessages("transfers");
  return (
    <span className="hidden items-center gap-2 sm:flex">
      <span>{t("fileCount", { count: countFiles(leftOf(folder)) })}</span>
      <span className="min-w-18 text-end">{formatBytes(sizeOf(folder), t.locale)}</span>
      {/* As wide as a file's button. */}
      <span className="w-11" />
    </span>
  );
}

/** The second line of a narrow row. */
export function RowNote({ item }: { item: OwnedEntry | TreeFolder<OwnedEntry> }) {
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
