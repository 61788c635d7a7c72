import { useMessages } from "#app/lib/i18n/messages.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { UnlockForm } from "./unlock-form.tsx";

interface LockedAgainDialogProps {
  downloadId: string;
  onUnlocked(): void;
  onClose(): void;
}

/** Asks for the link's password after its grant has ended. A dialog, because the page behind must keep its state. */
export default function LockedAgainDialog({ downloadId, onUnlocked, onClose }: LockedAgainDialogProps) {
  const t = useMessages("guardedLinks");
  return (
    <Dialog title={t("protectedTransfer")} description={t("lockedAgain")} onClose={onClose}>
      <UnlockForm downloadId={downloadId} refusal={null} onUnlocked={onUnlocked} />
    </Dialog>
  );
}
