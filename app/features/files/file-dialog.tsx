import { lazy, Suspense } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { MailLink } from "#app/ui/sharing/mail-link.client.tsx";
import { QrDialog } from "#app/ui/sharing/qr-dialog.client.tsx";
import { type ListedFile, renameForm } from "#domain/wire.ts";
import { ChangeExpiry } from "./change-expiry.tsx";
import { nameOf } from "./shown-file.tsx";
import { useQueryClient, useMutation } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { changeWords, forgetKeys } from "./change-words.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, Question } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { filesApi } from "./files-api.ts";

const GuardsDialog = lazy(() => importWhenOnline(() => import("#app/ui/guards/guards-dialog.client.tsx")));
const EditTransfer = lazy(() => importWhenOnline(() => import("./edit-transfer.client.tsx")));

/** Only files are renamed, and only transfers are edited. */
export type FileAction = "mail" | "qr" | "expiry" | "guards" | "rename" | "edit" | "delete";

interface FileDialogProps {
  action: FileAction;
  file: ListedFile;
  shareUrl: string;
  /** Where the file was shown by itself. */
  onDeleted?(): void;
  onClose(): void;
}

export function FileDialog({ action, file, shareUrl, onDeleted, onClose }: FileDialogProps) {
  switch (action) {
    case "mail":
      return <MailLink file={{ id: file.id, filename: nameOf(file), guards: file.guards }} onClose={onClose} />;
    case "qr":
      return <QrDialog filename={nameOf(file)} shareUrl={shareUrl} onClose={onClose} />;
    case "expiry":
      return <ChangeExpiry file={file} onClose={onClose} />;
    case "guards":
      return (
        <Suspense>
          <GuardsDialog id={file.id} name={nameOf(file)} onClose={onClose} />
        </Suspense>
      );
    case "rename":
      return <RenameFile file={file} onClose={onClose} />;
    case "edit":
      return (
        <Suspense>
          <EditTransfer file={file} onClose={onClose} />
        </Suspense>
      );
    case "delete":
      return <DeleteFile file={file} onDeleted={onDeleted} onClose={onClose} />;
  }
}

function RenameFile({ file, onClose }: { file: ListedFile; onClose(): void }) {
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

interface DeleteFileProps {
  file: ListedFile;
  /** Default: the list is loaded again. */
  onDeleted?: (() => void) | undefined;
  onClose(): void;
}

function DeleteFile({ file, onDeleted, onClose }: DeleteFileProps) {
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
      onYes={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
