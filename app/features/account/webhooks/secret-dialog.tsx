import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { CopyLine } from "../copy-line.tsx";

/** Shows a secret, once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useMessages("webhooks");
  return (
    <Dialog title={t("secretTitle")} description={t("secretHelp")} onClose={onClose}>
      <div className="grid gap-4">
        <CopyLine label={t("secret")} value={secret} />
        <Button look="quiet" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
