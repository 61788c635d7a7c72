import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { filesApi } from "./files-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";

export function DeleteFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const { filename } = file;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => filesApi.deleteFile(file.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({ title: t("fileDeleted"), description: t("fileDeletedHelp", { filename }) });
      onClose();
    },
    onError: errorToast(t("deleteFailed"), t("deleteFailedHelp")),
  });
  return (
    <Dialog
      title={t("deleteQuestion")}
      description={t(file.isExpired ? "deleteExpired" : "deleteWarning", { filename })}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {t("keepIt")}
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
