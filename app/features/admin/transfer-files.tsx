import { Ban } from "lucide-react";
import { useCallback, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { DownloadCount } from "#app/ui/entries/download-count.tsx";
import { EntriesPanel, type OwnedEntry } from "#app/ui/entries/entries-panel.tsx";
import { nameOf as nameOfPath, type TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile } from "#domain/wire.ts";
import { adminApi } from "./admin-api.ts";
import { nameOf } from "./file-name.tsx";
import { RowButton } from "./row-button.tsx";
import { TakeDown } from "./take-down.tsx";

interface TransferFilesProps {
  file: AdminFile;
  onClose(): void;
}

/** The files of a transfer, to look at and to take single ones down. */
export default function TransferFiles({ file, onClose }: TransferFilesProps) {
  const t = useMessages("admin");
  const [chosen, setChosen] = useState<OwnedEntry | null>(null);
  const { downloadId, isExpired } = file;
  const renderEntry = useCallback(
    (entry: OwnedEntry) => (
      <EntryCells
        entry={entry}
        {...(isExpired
          ? {}
          : {
              onTakeDown: () => {
                setChosen(entry);
              },
            })}
      />
    ),
    [isExpired],
  );
  if (chosen) {
    return (
      <TakeDown
        file={file}
        path={chosen.path}
        takeDown={(reason) => adminApi.takeDownEntry(file.id, chosen.n, reason)}
        onClose={() => {
          setChosen(null);
        }}
      />
    );
  }
  return (
    <Dialog
      wide
      title={t("filesOfTransfer", { title: nameOf(file) })}
      description={t("filesOfTransferHelp")}
      onClose={onClose}
    >
      <EntriesPanel
        label={t("filesOfTransfer", { title: nameOf(file) })}
        queryKey={[...queryKeys.entries, "admin", file.id]}
        fetchEntries={(from) => adminApi.entries(file.id, from)}
        renderEntry={renderEntry}
        renderNote={renderNote}
        hrefOf={(entry) => (isExpired ? null : hrefOf(downloadId, entry))}
      />
    </Dialog>
  );
}

const renderNote = (item: OwnedEntry | TreeFolder<OwnedEntry>) => <RowNote item={item} />;

/** The second line of a narrow row. */
function RowNote({ item }: { item: OwnedEntry | TreeFolder<OwnedEntry> }) {
  const t = useMessages("transfers");
  const size = formatBytes(item.sizeBytes, t.locale);
  if ("entries" in item) return t("countAndSize", { count: item.entries.length, size });
  return item.state === "removed" ? null : `${size} · ${t("entryDownloads", { count: item.downloads ?? 0 })}`;
}

function hrefOf(downloadId: string, { n, path, state }: OwnedEntry): string | null {
  return state === "stored" && !path.endsWith("/") ? `/api/files/download/${downloadId}/entries/${n}/content` : null;
}

function EntryCells({ entry, onTakeDown }: { entry: OwnedEntry; onTakeDown?(): void }) {
  const t = useMessages("admin");
  const tTransfers = useMessages("transfers");
  if (entry.state === "removed") return <span className="px-3">{tTransfers("removed")}</span>;
  return (
    <>
      <span className="hidden sm:inline">
        <DownloadCount count={entry.downloads ?? 0} />
      </span>
      <span className="hidden min-w-18 text-end sm:inline">{formatBytes(entry.sizeBytes, t.locale)}</span>
      {onTakeDown && (
        <RowButton look="danger" aria-label={t("takeDownEntry", { name: nameOfPath(entry.path) })} onClick={onTakeDown}>
          <Ban size={18} aria-hidden className="sm:hidden" />
          <span className="max-sm:hidden">{t("takeDown")}</span>
        </RowButton>
      )}
    </>
  );
}
