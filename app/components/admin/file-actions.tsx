import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { fixedToast } from "#app/admin/refusal.ts";
import { copyText } from "#app/clipboard.ts";
import type { AdminFile } from "#domain/wire.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RowButton } from "./row-button.tsx";
import { TakeDown } from "./take-down.tsx";

const deleteFailed = fixedToast("Delete failed", "There was a problem deleting the file");

/** What may be done with anybody's file. */
export function FileActions({ file, origin }: { file: AdminFile; origin: string }) {
  const [asking, setAsking] = useState<"delete" | "take-down" | null>(null);
  const close = () => {
    setAsking(null);
  };
  return (
    <>
      <RowButton disabled={file.isExpired} onClick={() => void copyLink(`${origin}/download/${file.downloadId}`)}>
        Copy Link
      </RowButton>
      {!file.isExpired && (
        <RowButton
          look="danger"
          onClick={() => {
            setAsking("take-down");
          }}
        >
          Take Down
        </RowButton>
      )}
      <RowButton
        look="danger"
        onClick={() => {
          setAsking("delete");
        }}
      >
        Delete
      </RowButton>
      {asking === "take-down" && (
        <TakeDown file={file} takeDown={(reason) => adminApi.takeDown(file.id, reason)} onClose={close} />
      )}
      {asking === "delete" && (
        <ConfirmDialog
          title="Delete this file?"
          description={`${file.filename} and its link are gone at once, for everyone. This cannot be undone.`}
          action="Delete file"
          acting="Deleting…"
          run={() => adminApi.deleteFile(file.id)}
          onDone={() => {
            toast({ title: "File deleted", description: "The file has been successfully deleted" });
          }}
          onError={deleteFailed}
          onClose={close}
        />
      )}
    </>
  );
}

async function copyLink(link: string): Promise<void> {
  const done = await copyText(link);
  toast(
    done
      ? { title: "Link copied", description: "Download link copied to clipboard" }
      : { title: "Copy failed", description: "Could not copy link to clipboard", tone: "bad" },
  );
}
