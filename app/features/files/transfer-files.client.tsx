import { Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { findKeptLink } from "#app/lib/sealing/kept-links.client.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { EntriesPanel } from "#app/ui/entries/entries-panel.tsx";
import { nameOf as nameOfPath } from "#app/ui/entries/entry-folders.ts";
import { EntryButton, type OwnedEntry } from "#app/ui/entries/owned-cells.tsx";
import { useMarkRemoved } from "#app/ui/entries/use-mark-removed.ts";
import type { ListedEntries, ListedFile } from "#domain/wire.ts";
import { nameOf } from "./file-name.ts";
import { filesApi } from "./files-api.ts";
import { RemoveEntry } from "./remove-entry.tsx";

/** The files of a transfer, with their downloads, to remove single ones. */
export default function TransferFiles({ file }: { file: ListedFile }) {
  const t = useMessages("files");
  const queryKey = [...queryKeys.entries, file.downloadId];
  const markRemoved = useMarkRemoved(queryKey);
  const [removing, setRemoving] = useState<{ entry: OwnedEntry; row: HTMLElement | null } | null>(null);
  const renderButton = useCallback(
    (entry: OwnedEntry) => (
      <EntryButton
        label={t("removeEntry", { name: nameOfPath(entry.path) })}
        onClick={(button) => {
          setRemoving({ entry, row: button.closest<HTMLElement>("[role=row]") });
        }}
      >
        <Trash2 size={18} aria-hidden />
      </EntryButton>
    ),
    [t],
  );
  return (
    <>
      <EntriesPanel
        label={t("filesOf", { title: nameOf(file) })}
        queryKey={queryKey}
        fetchEntries={(from) => fetchEntries(file, from)}
        // What is stored of a sealed file is of no use outside of its page.
        downloadId={file.seal ? null : file.downloadId}
        renderButton={renderButton}
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

/** Only a browser that has the key of a sealed link can name its files. */
async function fetchEntries({ downloadId, seal }: ListedFile, from: number): Promise<ListedEntries> {
  const listed = await filesApi.entries(downloadId, from);
  const kept = seal ? await findKeptLink(downloadId) : null;
  if (!kept) return listed;
  const files = new Map(kept.manifest.files.map((file) => [file.stream, file]));
  const entries = listed.entries.map((entry) => {
    const { name, type, size, mtime } = files.get(entry.n) ?? {};
    if (name === undefined || type === undefined || size === undefined || mtime === undefined) return entry;
    return { ...entry, path: name, type, size, modifiedAt: new Date(mtime).toISOString() };
  });
  return { ...listed, entries };
}
