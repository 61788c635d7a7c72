import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { TRANSFER_MESSAGE_MAX_LENGTH } from "#domain/transfers/limits.ts";
import { editTransferForm, type ListedFile } from "#domain/wire.ts";
import { nameOf } from "./shown-file.tsx";
import { changeWords } from "./change-words.ts";

/** Changes the title and the message of a transfer. */
export default function EditTransfer({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(editTransferForm, {
    onError: errorToast(t("updateFailed"), t("removeFailedHelp")),
    send: async ({ title = nameOf(file), message }) => {
      await changeWords(file, { filename: title, message });
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({ title: t("transferChanged"), description: t("transferChangedHelp", { title }) });
      onClose();
    },
  });
  return (
    <Dialog title={t("editTransfer")} description={t("editTransferHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField label={t("transferTitle")} name="title" defaultValue={nameOf(file)} error={errors.title} />
        <FormTextArea
          label={t("transferMessage")}
          name="message"
          rows={5}
          maxLength={TRANSFER_MESSAGE_MAX_LENGTH}
          defaultValue={file.message ?? ""}
          hint={t("transferMessageHelp")}
          error={errors.message}
        />
        <Button type="submit" busy={busy}>
          {t(busy ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
