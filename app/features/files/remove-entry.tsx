import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { ListedEntry, ListedFile } from "#domain/wire.ts";
import { nameOf } from "./file-name.ts";
import { filesApi } from "./files-api.ts";

interface RemoveEntryProps {
  file: ListedFile;
  entry: ListedEntry;
  /** Gets the focus after the removal: the button is gone then. */
  focusAfter(): HTMLElement | null;
  onRemoved(): void;
  onClose(): void;
}

/** Asks before one file of a transfer is removed. The last one takes the transfer with it. */
export function RemoveEntry({ file, entry, focusAfter, onRemoved, onClose }: RemoveEntryProps) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { path } = entry;
  const title = nameOf(file);
  const isRemoved = useRef(false);
  const isFolder = path.endsWith("/");
  const isLast = file.entries === 1;
  const remove = useMutation({
    mutationFn: () => filesApi.removeEntry(file.id, entry.n),
    onSuccess: async ({ entries }) => {
      isRemoved.current = true;
      onRemoved();
      toast(
        entries === 0
          ? { title: t("transferDeleted"), description: t("fileDeletedHelp", { filename: title }) }
          : { title: t(isFolder ? "folderRemoved" : "removed"), description: t("removedHelp", { path }) },
      );
      onClose();
      await queries.invalidateQueries({ queryKey: queryKeys.files });
    },
    onError: errorToast(t("removeFailed"), t("removeFailedHelp")),
  });
  return (
    <Dialog
      title={t(isLast ? "removeLastQuestion" : isFolder ? "removeFolderQuestion" : "removeQuestion")}
      description={isLast ? t("removeLastWarning", { path, title }) : t("removeWarning", { path })}
      onClose={onClose}
      focusAfter={() => (isRemoved.current ? focusAfter() : null)}
    >
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {t(isFolder ? "keepFolder" : "keepIt")}
        </Button>
        <Button
          look="danger"
          disabled={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          {t(remove.isPending ? "removing" : "remove")}
        </Button>
      </div>
    </Dialog>
  );
}
