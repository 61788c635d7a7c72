import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast } from "#app/use-form.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

export function DeleteFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const say = useMessages("files");
  const { filename } = file;
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteFile(file.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({ title: say("fileDeleted"), description: say("fileDeletedHelp", { filename }) });
      onClose();
    },
    onError: failureToast(say("deleteFailed"), say("deleteFailedHelp")),
  });
  return (
    <Dialog
      title={say("deleteQuestion")}
      description={say(file.isExpired ? "deleteExpired" : "deleteWarning", { filename })}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {say("keepIt")}
        </Button>
        <Button
          look="danger"
          disabled={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          {say(remove.isPending ? "deleting" : "delete")}
        </Button>
      </div>
    </Dialog>
  );
}
