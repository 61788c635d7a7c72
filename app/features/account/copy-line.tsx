import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { controlClass } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

/** A text that is hard to type, with a button that copies it. */
export function CopyLine({ label, value }: { label: string; value: string }) {
  const t = useMessages("account");
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const hasWorked = await copyText(value);
    setCopied(hasWorked);
    if (!hasWorked) toast({ title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" });
  };
  const word = t(isCopied ? "copied" : "copy");
  return (
    <div className="flex gap-2">
      <input
        readOnly
        aria-label={label}
        value={value}
        className={controlClass}
        onFocus={({ target }) => {
          target.select();
        }}
      />
      <Button className="shrink-0" aria-label={`${word}: ${label}`} onClick={() => void copy()}>
        {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        {word}
      </Button>
    </div>
  );
}
