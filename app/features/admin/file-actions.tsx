import { useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { fixedToast } from "#app/features/admin/admin-errors.ts";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RowButton } from "./row-button.tsx";
import { TakeDown } from "./take-down.tsx";

/** What may be done with anybody's file. */
export function FileActions({ file, origin }: { file: AdminFile; origin: string }) {
  const t = useMessages("admin");
  const [asking, setAsking] = useState<"delete" | "take-down" | null>(null);
  const close = () => {
    setAsking(null);
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
            setAsking("take-down");
          }}
        >
          {t("takeDown")}
        </RowButton>
      )}
      <RowButton
        look="danger"
        onClick={() => {
          setAsking("delete");
        }}
      >
        {t("delete")}
      </RowButton>
      {asking === "take-down" && (
        <TakeDown file={file} takeDown={(reason) => adminApi.takeDown(file.id, reason)} onClose={close} />
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title={t("deleteFileQuestion")}
          description={t("fileGoes", { filename: file.filename })}
          action={t("deleteFile")}
          acting={t("deleting")}
          run={() => adminApi.deleteFile(file.id)}
          onDone={() => {
            toast({ title: t("fileDeleted"), description: t("fileDeletedHelp") });
          }}
          onError={fixedToast(t("deleteFailed"), t("deleteFileFailed"))}
          onClose={close}
        />
      )}
    </>
  );
}

async function copyLink(link: string, t: Translate<"admin">): Promise<void> {
  const done = await copyText(link);
  toast(
    done
      ? { title: t("linkCopied"), description: t("linkCopiedHelp") }
      : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
  );
}
