import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { changeWords } from "./change-words.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { renameForm, type ListedFile } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function RenameFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(renameForm, {
    onError: errorToast(t("renameFailed"), t("renameFailedHelp")),
    send: async ({ filename }) => {
      if (filename !== file.filename) {
        await changeWords(file, { filename });
        await queries.invalidateQueries({ queryKey: queryKeys.files });
        toast({ title: t("fileRenamed"), description: t("fileRenamedHelp", { filename }) });
      }
      onClose();
    },
  });
  return (
    <Dialog title={t("rename")} description={t("renameHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField label={t("fileName")} name="filename" defaultValue={file.filename} error={errors.filename} />
        <Button type="submit" busy={busy}>
          {t(busy ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
