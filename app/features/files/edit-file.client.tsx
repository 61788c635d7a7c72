import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { toast, type Toast } from "#app/ui/toast.ts";
import { TRANSFER_MESSAGE_MAX_LENGTH } from "#domain/transfers/limits.ts";
import { editTransferForm, renameForm, type ListedFile } from "#domain/wire.ts";
import { changeWords } from "./change-words.ts";
import { nameOf } from "./shown-file.tsx";

export default function EditFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const isTransfer = file.entries !== undefined;
  const name = nameOf(file);
  const save = async (words: Parameters<typeof changeWords>[1], saved: Toast) => {
    await changeWords(file, words);
    await queries.invalidateQueries({ queryKey: queryKeys.files });
    toast(saved);
  };
  const { errors, busy, onSubmit } = useForm(isTransfer ? editTransferForm : renameForm, {
    onError: isTransfer
      ? errorToast(t("updateFailed"), t("removeFailedHelp"))
      : errorToast(t("renameFailed"), t("renameFailedHelp")),
    send: async (typed) => {
      if ("message" in typed) {
        const { title = name, message } = typed;
        const saved = { title: t("transferChanged"), description: t("transferChangedHelp", { title }) };
        await save({ filename: title, message }, saved);
      } else if (typed.filename !== name) {
        await save(typed, { title: t("fileRenamed"), description: t("fileRenamedHelp", typed) });
      }
      onClose();
    },
  });
  return (
    <Dialog
      title={t(isTransfer ? "editTransfer" : "rename")}
      description={t(isTransfer ? "editTransferHelp" : "renameHelp")}
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        {isTransfer ? (
          <>
            <FormField label={t("transferTitle")} name="title" defaultValue={name} error={errors.title} />
            <FormTextArea
              label={t("transferMessage")}
              name="message"
              rows={5}
              maxLength={TRANSFER_MESSAGE_MAX_LENGTH}
              defaultValue={file.message ?? ""}
              hint={t("transferMessageHelp")}
              error={errors.message}
            />
          </>
        ) : (
          <FormField label={t("fileName")} name="filename" defaultValue={name} error={errors.filename} />
        )}
        <Button type="submit" busy={busy}>
          {t(busy ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
