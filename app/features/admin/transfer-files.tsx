import { Ban } from "lucide-react";
import { useCallback, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { EntriesPanel } from "#app/ui/entries/entries-panel.tsx";
import { nameOf as nameOfPath } from "#app/ui/entries/entry-folders.ts";
import { EntryButton, type OwnedEntry } from "#app/ui/entries/owned-cells.tsx";
import type { AdminFile } from "#domain/wire.ts";
import { adminApi } from "./admin-api.ts";
import { nameOf } from "./file-name.tsx";
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
  const renderButton = useCallback(
    (entry: OwnedEntry) =>
      isExpired ? null : (
        <EntryButton
          label={t("takeDownEntry", { name: nameOfPath(entry.path) })}
          onClick={() => {
            setChosen(entry);
          }}
        >
          <Ban size={18} aria-hidden />
        </EntryButton>
      ),
    [isExpired, t],
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
        downloadId={isExpired ? null : downloadId}
        renderButton={renderButton}
      />
    </Dialog>
  );
}
