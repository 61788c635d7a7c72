import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { failureToast } from "#app/use-form.ts";
import type { ListedFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

export function DeleteFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteFile(file.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({ title: "File deleted", description: `${file.filename} and its link are gone.` });
      onClose();
    },
    onError: failureToast("Delete failed", "The file could not be deleted."),
  });
  return (
    <Dialog
      title="Delete this file?"
      description={
        file.isExpired
          ? `${file.filename} has expired already. It disappears from this list.`
          : `${file.filename} and its link are gone at once, for everyone. This cannot be undone.`
      }
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button
          look="danger"
          disabled={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          {remove.isPending ? "Deleting…" : "Delete"}
        </Button>
      </div>
    </Dialog>
  );
}
