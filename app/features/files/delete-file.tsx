import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { nameOf } from "./file-name.ts";
import { filesApi } from "./files-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";

export function DeleteFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const filename = nameOf(file);
  const isTransfer = file.entries !== undefined;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => filesApi.deleteFile(file.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({
        title: t(isTransfer ? "transferDeleted" : "fileDeleted"),
        description: t("fileDeletedHelp", { filename }),
      });
      onClose();
    },
    onError: errorToast(t("deleteFailed"), t(isTransfer ? "deleteTransferFailedHelp" : "deleteFailedHelp")),
  });
  return (
    <Dialog
      title={t(isTransfer ? "deleteTransferQuestion" : "deleteQuestion")}
      description={
        file.isExpired || file.entries === undefined
          ? t(file.isExpired ? "deleteExpired" : "deleteWarning", { filename })
          : t("deleteTransferWarning", { title: filename, count: file.entries })
      }
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {t(isTransfer ? "keepTransfer" : "keepIt")}
        </Button>
        <Button
          look="danger"
          disabled={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          {t(remove.isPending ? "deleting" : "delete")}
        </Button>
      </div>
    </Dialog>
  );
}
