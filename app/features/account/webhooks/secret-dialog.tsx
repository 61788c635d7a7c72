import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { CopyLine } from "../copy-line.tsx";

interface SecretDialogProps {
  secret: string;
  focusAfter?(): HTMLElement | null;
  onClose(): void;
}

/** Shows a secret, once. */
export function SecretDialog({ secret, ...others }: SecretDialogProps) {
  const t = useMessages("webhooks");
  return (
    <Dialog title={t("secretTitle")} description={t("secretHelp")} {...others}>
      <div className="grid gap-4">
        <CopyLine label={t("secret")} value={secret} />
        <Button onClick={others.onClose}>{t("done")}</Button>
      </div>
    </Dialog>
  );
}
