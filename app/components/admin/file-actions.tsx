import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { fixedToast } from "#app/admin/refusal.ts";
import { copyText } from "#app/clipboard.ts";
import { useMessages } from "#app/messages/messages.ts";
import type { AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RowButton } from "./row-button.tsx";
import { TakeDown } from "./take-down.tsx";

/** What may be done with anybody's file. */
export function FileActions({ file, origin }: { file: AdminFile; origin: string }) {
  const say = useMessages("office");
  const [asking, setAsking] = useState<"delete" | "take-down" | null>(null);
  const close = () => {
    setAsking(null);
  };
  return (
    <>
      <RowButton disabled={file.isExpired} onClick={() => void copyLink(`${origin}/download/${file.downloadId}`, say)}>
        {say("copyLink")}
      </RowButton>
      {!file.isExpired && (
        <RowButton
          look="danger"
          onClick={() => {
            setAsking("take-down");
          }}
        >
          {say("takeDown")}
        </RowButton>
      )}
      <RowButton
        look="danger"
        onClick={() => {
          setAsking("delete");
        }}
      >
        {say("delete")}
      </RowButton>
      {asking === "take-down" && (
        <TakeDown file={file} takeDown={(reason) => adminApi.takeDown(file.id, reason)} onClose={close} />
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title={say("deleteFileQuestion")}
          description={say("fileGoes", { filename: file.filename })}
          action={say("deleteFile")}
          acting={say("deleting")}
          run={() => adminApi.deleteFile(file.id)}
          onDone={() => {
            toast({ title: say("fileDeleted"), description: say("fileDeletedHelp") });
          }}
          onError={fixedToast(say("deleteFailed"), say("deleteFileFailed"))}
          onClose={close}
        />
      )}
    </>
  );
}

async function copyLink(link: string, say: Translate<"office">): Promise<void> {
  const done = await copyText(link);
  toast(
    done
      ? { title: say("linkCopied"), description: say("linkCopiedHelp") }
      : { title: say("copyFailed"), description: say("copyFailedHelp"), tone: "bad" },
  );
}
