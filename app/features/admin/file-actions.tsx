import { useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { fixedErrorToast } from "#app/features/admin/admin-errors.ts";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RowButton } from "./row-button.tsx";
import { TakeDown } from "./take-down.tsx";

export function FileActions({ file, origin }: { file: AdminFile; origin: string }) {
  const t = useMessages("admin");
  const [openDialog, setOpenDialog] = useState<"delete" | "take-down" | null>(null);
  const close = () => {
    setOpenDialog(null);
  };
  return (
    <>
      <RowButton disabled={file.isExpired} onClick={() => void copyLink(`${origin}/download/${file.downloadId}`, t)}>
        {t("copyLink")}
      </RowButton>
      {!file.isExpired && (
        <RowButton
          look="danger"
          onClick={() => {
            setOpenDialog("take-down");
          }}
        >
          {t("takeDown")}
        </RowButton>
      )}
      <RowButton
        look="danger"
        onClick={() => {
          setOpenDialog("delete");
        }}
      >
        {t("delete")}
      </RowButton>
      {openDialog === "take-down" && (
        <TakeDown file={file} takeDown={(reason) => adminApi.takeDown(file.id, reason)} onClose={close} />
      )}
      {openDialog === "delete" && (
        <ConfirmDialog
          title={t("deleteFileQuestion")}
          description={t("fileGoes", { filename: file.filename })}
          action={t("deleteFile")}
          pendingLabel={t("deleting")}
          run={() => adminApi.deleteFile(file.id)}
          onSuccess={() => {
            toast({ title: t("fileDeleted"), description: t("fileDeletedHelp") });
          }}
          onError={fixedErrorToast(t("deleteFailed"), t("deleteFileFailed"))}
          onClose={close}
        />
      )}
    </>
  );
}

async function copyLink(link: string, t: Translate<"admin">): Promise<void> {
  const copied = await copyText(link);
  toast(
    copied
      ? { title: t("linkCopied"), description: t("linkCopiedHelp") }
      : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
  );
}
