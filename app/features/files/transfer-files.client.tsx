import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { forgetKeys } from "#app/lib/sealing/forget-keys.ts";
import { findKeptLink } from "#app/lib/sealing/kept-links.client.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { EntriesPanel, EntryButton, type OwnedEntry, useMarkRemoved } from "#app/ui/entries/entries-panel.tsx";
import { nameOf as nameOfPath } from "#app/ui/entries/entry-folders.ts";
import { toast } from "#app/ui/toast.ts";
import type { ListedEntries, ListedFile, ListedEntry } from "#domain/wire.ts";
import { forgetEntry } from "./change-words.ts";
import { filesApi } from "./files-api.ts";
import { nameOf } from "./shown-file.tsx";

/** Lists the files of a transfer. The owner can download or remove each file. */
export default function TransferFiles({ file }: { file: ListedFile }) {
  const t = useMessages("files");
  const queryKey = [...queryKeys.entries, file.downloadId];
  const markRemoved = useMarkRemoved(queryKey);
  const [removing, setRemoving] = useState<{ entry: OwnedEntry; row: HTMLElement | null } | null>(null);
  const renderButton = useCallback(
    (entry: OwnedEntry) => (
      <EntryButton
        label={t("removeEntry", { name: nameOfPath(entry.path) })}
        onClick={(button) => setRemoving({ entry, row: button.closest<HTMLElement>("[role=row]") })}
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
        // A file of a sealed link has no download here: only the link's page decrypts what storage has.
        downloadId={file.seal ? null : file.downloadId}
        renderButton={renderButton}
      />
      {removing && (
        <RemoveEntry
          file={file}
          entry={removing.entry}
          focusAfter={() => removing.row}
          onRemoved={() => markRemoved(removing.entry.n)}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}

/**
 * Loads the list of a transfer. Only a browser that has the key of a sealed link can decrypt the names of its files.
 */
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

interface RemoveEntryProps {
  file: ListedFile;
  entry: ListedEntry;
  /**
   * The element that gets the focus after the removal of a file, because the pressed button is removed with the file.
   */
  focusAfter(): HTMLElement | null;
  onRemoved(): void;
  onClose(): void;
}

/** Asks before one file of a transfer is removed. Removing the last file deletes the transfer. */
function RemoveEntry({ file, entry, focusAfter, onRemoved, onClose }: RemoveEntryProps) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { path } = entry;
  const title = nameOf(file);
  const isFolder = path.endsWith("/");
  const isLast = file.entries === 1;
  const remove = async () => {
    const { entries } = await filesApi.removeEntry(file.id, entry.n);
    // The server has removed the file. If its name stays in the encrypted list, recipients are told that the file is
    // gone.
    await (entries === 0 ? forgetKeys(file) : forgetEntry(file, entry.n)).catch(() => undefined);
    onRemoved();
    await queries.invalidateQueries({ queryKey: queryKeys.files });
    toast(
      entries === 0
        ? { title: t("transferDeleted"), description: t("fileDeletedHelp", { filename: title }) }
        : { title: t(isFolder ? "folderRemoved" : "removed"), description: t("removedHelp", { path }) },
    );
    onClose();
  };
  return (
    <ActionQuestion
      title={t(isLast ? "removeLastQuestion" : isFolder ? "removeFolderQuestion" : "removeQuestion")}
      text={isLast ? t("removeLastWarning", { path, title }) : t("removeWarning", { path })}
      yes={t("remove")}
      pending={t("removing")}
      no={t(isFolder ? "keepFolder" : "keepIt")}
      onError={errorToast(t("removeFailed"), t("removeFailedHelp"))}
      focusAfter={focusAfter}
      run={remove}
      onClose={onClose}
    />
  );
}
