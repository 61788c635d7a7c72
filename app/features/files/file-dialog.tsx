import { lazy, Suspense } from "react";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { MailLink } from "#app/ui/sharing/mail-link.client.tsx";
import { QrDialog } from "#app/ui/sharing/qr-dialog.client.tsx";
import type { ListedFile } from "#domain/wire.ts";
import { ChangeExpiry } from "./change-expiry.tsx";
import { DeleteFile } from "./delete-file.tsx";
import { nameOf } from "./file-name.ts";
import { RenameFile } from "./rename-file.tsx";

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
