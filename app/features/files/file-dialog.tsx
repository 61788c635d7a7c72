import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { forgetKeys } from "#app/lib/sealing/forget-keys.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import MailLink from "#app/ui/sharing/mail-link.client.tsx";
import QrDialog from "#app/ui/sharing/qr-dialog.client.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedFile } from "#domain/wire.ts";
import { ChangeExpiry } from "./change-expiry.tsx";
import { filesApi } from "./files-api.ts";
import { nameOf } from "./shown-file.tsx";

const ProtectionDialog = lazy(() => importWhenOnline(() => import("#app/ui/protection/protection-dialog.client.tsx")));
const EditLabels = lazy(() => importWhenOnline(() => import("./edit-labels.client.tsx")));
const EditFile = lazy(() => importWhenOnline(() => import("./edit-file.client.tsx")));

/** An action on a file or transfer that needs a dialog. "rename" is for files only, "edit" for transfers only. */
export type FileAction = "mail" | "qr" | "expiry" | "guards" | "labels" | "rename" | "edit" | "delete";

interface FileDialogProps {
  action: FileAction;
  file: ListedFile;
  shareUrl: string;
  /** Called after the deletion instead of reloading the list, if the page is the deleted file's own. */
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
          <ProtectionDialog id={file.id} name={nameOf(file)} onClose={onClose} />
        </Suspense>
      );
    case "labels":
      return (
        <Suspense>
          <EditLabels file={file} onClose={onClose} />
        </Suspense>
      );
    case "rename":
    case "edit":
      return (
        <Suspense>
          <EditFile file={file} onClose={onClose} />
        </Suspense>
      );
    case "delete":
      return <DeleteFile file={file} onDeleted={onDeleted} onClose={onClose} />;
  }
}

interface DeleteFileProps {
  file: ListedFile;
  /** Default: loads the list of files again. */
  onDeleted?: (() => void) | undefined;
  onClose(): void;
}

function DeleteFile({ file, onDeleted, onClose }: DeleteFileProps) {
  const t = useMessages("files");
  const filename = nameOf(file);
  const isTransfer = file.entries !== undefined;
  const queries = useQueryClient();
  const remove = async () => {
    await filesApi.deleteFile(file.id);
    await forgetKeys(file);
    if (onDeleted) onDeleted();
    else await queries.invalidateQueries({ queryKey: queryKeys.files });
    toast({
      title: t(isTransfer ? "transferDeleted" : "fileDeleted"),
      description: t("fileDeletedHelp", { filename }),
    });
    onClose();
  };
  return (
    <ActionQuestion
      title={t(isTransfer ? "deleteTransferQuestion" : "deleteQuestion")}
      text={
        file.isExpired || file.entries === undefined
          ? t(file.isExpired ? "deleteExpired" : "deleteWarning", { filename })
          : t("deleteTransferWarning", { title: filename, count: file.entries })
      }
      yes={t("delete")}
      pending={t("deleting")}
      no={t(isTransfer ? "keepTransfer" : "keepIt")}
      onError={errorToast(t("deleteFailed"), t(isTransfer ? "deleteTransferFailedHelp" : "deleteFailedHelp"))}
      run={remove}
      onClose={onClose}
    />
  );
}
