import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { renameForm, type ListedFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function RenameFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const say = useMessages("files");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(renameForm, {
    onError: failureToast(say("renameFailed"), say("renameFailedHelp")),
    send: async ({ filename }) => {
      if (filename !== file.filename) {
        await api.changeFile(file.id, { filename });
        await queries.invalidateQueries({ queryKey: queryKeys.files });
        toast({ title: say("fileRenamed"), description: say("fileRenamedHelp", { filename }) });
      }
      onClose();
    },
  });
  return (
    <Dialog title={say("rename")} description={say("renameHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field label={say("fileName")} name="filename" defaultValue={file.filename} error={errors.filename} />
        <Button type="submit" disabled={busy}>
          {say(busy ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
