import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { controlClass } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

/** Shows a secret, once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useMessages("webhooks");
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const hasWorked = await copyText(secret);
    setCopied(hasWorked);
    if (!hasWorked) toast({ title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" });
  };
  return (
    <Dialog title={t("secretTitle")} description={t("secretHelp")} onClose={onClose}>
      <div className="grid gap-4">
        <div className="flex gap-2">
          <input
            readOnly
            aria-label={t("secret")}
            value={secret}
            className={controlClass}
            onFocus={({ target }) => {
              target.select();
            }}
          />
          <Button className="shrink-0" onClick={() => void copy()}>
            {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
            {t(isCopied ? "copied" : "copy")}
          </Button>
        </div>
        <Button look="quiet" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
