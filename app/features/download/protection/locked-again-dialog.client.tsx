import { useMessages } from "#app/lib/i18n/messages.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { UnlockForm } from "./unlock-form.tsx";

interface LockedAgainDialogProps {
  downloadId: string;
  onUnlocked(): void;
  onClose(): void;
}

/** Over a page that was unlocked too long ago, so that nothing on it is lost. */
export default function LockedAgainDialog({ downloadId, onUnlocked, onClose }: LockedAgainDialogProps) {
  const t = useMessages("guardedLinks");
  return (
    <Dialog title={t("protectedTransfer")} description={t("lockedAgain")} onClose={onClose}>
      <UnlockForm downloadId={downloadId} refusal={null} onUnlocked={onUnlocked} />
    </Dialog>
  );
}
