import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/question.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedEntry, ListedFile } from "#domain/wire.ts";
import { forgetEntry, forgetKeys } from "./change-words.ts";
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
  const isFolder = path.endsWith("/");
  const isLast = file.entries === 1;
  const remove = useMutation({
    mutationFn: async () => {
      const changed = await filesApi.removeEntry(file.id, entry.n);
      // Without its file the name in the list leads nowhere, which recipients are told.
      await (changed.entries === 0 ? forgetKeys(file) : forgetEntry(file, entry.n)).catch(() => undefined);
      return changed;
    },
    onSuccess: async ({ entries }) => {
      onRemoved();
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast(
        entries === 0
          ? { title: t("transferDeleted"), description: t("fileDeletedHelp", { filename: title }) }
          : { title: t(isFolder ? "folderRemoved" : "removed"), description: t("removedHelp", { path }) },
      );
      onClose();
    },
    onError: errorToast(t("removeFailed"), t("removeFailedHelp")),
  });
  return (
    <Question
      title={t(isLast ? "removeLastQuestion" : isFolder ? "removeFolderQuestion" : "removeQuestion")}
      text={isLast ? t("removeLastWarning", { path, title }) : t("removeWarning", { path })}
      yes={t(remove.isPending ? "removing" : "remove")}
      no={t(isFolder ? "keepFolder" : "keepIt")}
      isBusy={remove.isPending}
      focusAfter={focusAfter}
      onYes={() => {
        remove.mutate();
      }}
      onClose={onClose}
    />
  );
}
