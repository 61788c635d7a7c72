import { Ban } from "lucide-react";
import { useCallback, useState } from "react";
import { queryKeys, call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { EntriesPanel, EntryButton, type OwnedEntry, useMarkRemoved } from "#app/ui/entries/entries-panel.tsx";
import { nameOf as nameOfPath } from "#app/ui/entries/entry-folders.ts";
import type { AdminFile } from "#domain/wire.ts";
import { nameOf } from "./file-cells.tsx";
import { TakeDown } from "./take-down.tsx";

/** Lists the files of a transfer. An administrator can open each file and take it down. */
export default function TransferFiles({ file, onClose }: { file: AdminFile; onClose(): void }) {
  const t = useMessages("admin");
  const { downloadId, isExpired } = file;
  const queryKey = [...queryKeys.entries, "admin", file.id];
  const markRemoved = useMarkRemoved(queryKey);
  const [chosen, setChosen] = useState<{ entry: OwnedEntry; row: HTMLElement | null } | null>(null);
  const renderButton = useCallback(
    (entry: OwnedEntry) =>
      isExpired ? null : (
        <EntryButton
          label={t("takeDownEntry", { name: nameOfPath(entry.path) })}
          onClick={(button) => setChosen({ entry, row: button.closest<HTMLElement>("[role=row]") })}
        >
          <Ban size={18} aria-hidden />
        </EntryButton>
      ),
    [isExpired, t],
  );
  return (
    <>
      <Dialog
        wide
        title={t("filesOfTransfer", { title: nameOf(file, t) })}
        description={t("filesOfTransferHelp")}
        onClose={onClose}
      >
        <EntriesPanel
          label={t("filesOfTransfer", { title: nameOf(file, t) })}
          queryKey={queryKey}
          fetchEntries={(from) =>
            call("GET /api/admin/files/:id/entries", { params: { id: file.id }, query: { from: String(from) } })
          }
          downloadId={isExpired ? null : downloadId}
          renderButton={renderButton}
        />
      </Dialog>
      {chosen && (
        <TakeDown
          file={file}
          path={chosen.entry.path}
          takeDown={async (reason) => {
            await call("POST /api/admin/files/:id/entries/:n/take-down", {
              params: { id: file.id, n: String(chosen.entry.n) },
              body: { reason },
            });
            markRemoved(chosen.entry.n);
          }}
          focusAfter={() => chosen.row}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
