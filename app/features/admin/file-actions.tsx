import { lazy, Suspense, useState } from "react";
import { call } from "#app/lib/api.ts";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { toast } from "#app/ui/toast.ts";
import type { AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { fixedErrorToast } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RowButton } from "./data-table.tsx";
import { nameOf } from "./file-cells.tsx";
import { TakeDown, whatGoes } from "./take-down.tsx";

const TransferFiles = lazy(() => importWhenOnline(() => import("./transfer-files.client.tsx")));

export function FileActions({ file, origin }: { file: AdminFile; origin: string }) {
  const t = useMessages("admin");
  const isTransfer = file.entries !== undefined;
  const [openDialog, setOpenDialog] = useState<"files" | "delete" | "take-down" | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <>
      {isTransfer && <RowButton onClick={() => setOpenDialog("files")}>{t("showFiles")}</RowButton>}
      <RowButton disabled={file.isExpired} onClick={() => void copyLink(`${origin}/download/${file.downloadId}`, t)}>
        {t("copyLink")}
      </RowButton>
      {!file.isExpired && (
        <RowButton look="danger" onClick={() => setOpenDialog("take-down")}>
          {t("takeDown")}
        </RowButton>
      )}
      <RowButton look="danger" onClick={() => setOpenDialog("delete")}>
        {t("delete")}
      </RowButton>
      {openDialog === "files" && (
        <Suspense>
          <TransferFiles file={file} onClose={close} />
        </Suspense>
      )}
      {openDialog === "take-down" && (
        <TakeDown
          file={file}
          takeDown={(reason) =>
            call("POST /api/admin/files/:id/take-down", { params: { id: file.id }, body: { reason } })
          }
          onClose={close}
        />
      )}
      {openDialog === "delete" && (
        <ConfirmDialog
          title={t(isTransfer ? "deleteTransferQuestion" : "deleteFileQuestion")}
          text={whatGoes(file, t)}
          yes={t(isTransfer ? "deleteTransfer" : "deleteFile")}
          pending={t("deleting")}
          run={() => call("DELETE /api/admin/files/:id", { params: { id: file.id } })}
          onSuccess={() =>
            toast(
              isTransfer
                ? { title: t("transferDeleted"), description: t("takenDownHelp", { filename: nameOf(file, t) }) }
                : { title: t("fileDeleted"), description: t("fileDeletedHelp") },
            )
          }
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
