import type { ListedFile } from "#domain/wire.ts";
import { ChangeExpiry } from "./change-expiry.tsx";
import { DeleteFile } from "./delete-file.tsx";
import { MailLink } from "#app/ui/sharing/mail-link.tsx";
import { QrDialog } from "#app/ui/sharing/qr-dialog.tsx";
import { RenameFile } from "./rename-file.tsx";

export type FileAction = "mail" | "qr" | "expiry" | "rename" | "delete";

interface FileDialogProps {
  action: FileAction;
  file: ListedFile;
  shareUrl: string;
  onClose(): void;
}

export function FileDialog({ action, file, shareUrl, onClose }: FileDialogProps) {
  switch (action) {
    case "mail":
      return <MailLink file={file} onClose={onClose} />;
    case "qr":
      return <QrDialog filename={file.filename} shareUrl={shareUrl} onClose={onClose} />;
    case "expiry":
      return <ChangeExpiry file={file} onClose={onClose} />;
    case "rename":
      return <RenameFile file={file} onClose={onClose} />;
    case "delete":
      return <DeleteFile file={file} onClose={onClose} />;
  }
}
