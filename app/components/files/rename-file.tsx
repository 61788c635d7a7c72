import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { renameForm, type ListedFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function RenameFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(renameForm, {
    onError: failureToast("Rename failed", "The file could not be renamed. Please try again."),
    send: async ({ filename }) => {
      if (filename !== file.filename) {
        await api.changeFile(file.id, { filename });
        await queries.invalidateQueries({ queryKey: queryKeys.files });
        toast({ title: "File renamed", description: `It is downloaded as ${filename} from now on.` });
      }
      onClose();
    },
  });
  return (
    <Dialog title="Rename" description="The link stays the same." onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field label="File name" name="filename" defaultValue={file.filename} error={errors.filename} />
        <Button type="submit" disabled={busy}>
          {busy ? "Saving…" : "Save"}
        </Button>
      </form>
    </Dialog>
  );
}
