import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { forgetKeys } from "./change-words.ts";
import { nameOf } from "./file-name.ts";
import { filesApi } from "./files-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Question } from "#app/ui/question.tsx";
import { toast } from "#app/ui/toast.ts";

interface DeleteFileProps {
  file: ListedFile;
  /** Default: the list is loaded again. */
  onDeleted?: (() => void) | undefined;
  onClose(): void;
}

export function DeleteFile({ file, onDeleted, onClose }: DeleteFileProps) {
  const t = useMessages("files");
  const filename = nameOf(file);
  const isTransfer = file.entries !== undefined;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => filesApi.deleteFile(file.id),
    onSuccess: async () => {
      await forgetKeys(file);
      if (onDeleted) onDeleted();
      else await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({
        title: t(isTransfer ? "transferDeleted" : "fileDeleted"),
        description: t("fileDeletedHelp", { filename }),
      });
      onClose();
    },
    onError: errorToast(t("deleteFailed"), t(isTransfer ? "deleteTransferFailedHelp" : "deleteFailedHelp")),
  });
  return (
    <Question
      title={t(isTransfer ? "deleteTransferQuestion" : "deleteQuestion")}
      text={
        file.isExpired || file.entries === undefined
          ? t(file.isExpired ? "deleteExpired" : "deleteWarning", { filename })
          : t("deleteTransferWarning", { title: filename, count: file.entries })
      }
      yes={t(remove.isPending ? "deleting" : "delete")}
      no={t(isTransfer ? "keepTransfer" : "keepIt")}
      isBusy={remove.isPending}
      onYes={() => {
        remove.mutate();
      }}
      onClose={onClose}
    />
  );
}
