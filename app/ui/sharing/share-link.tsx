import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { controlClass } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function ShareLink({ url, label }: { url: string; label: string }) {
  const t = useMessages("uploads");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const isCopied = await copyText(url);
    setCopied(isCopied);
    toast(
      isCopied ? { title: t("linkCopied") } : { title: t("copyFailed"), description: t("copyFailedText"), tone: "bad" },
    );
  };
  return (
    <div className="flex gap-2">
      <input
        readOnly
        aria-label={label}
        value={url}
        className={controlClass}
        onFocus={(event) => {
          event.target.select();
        }}
      />
      <Button className="shrink-0" onClick={() => void copy()}>
        {copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        {t(copied ? "copied" : "copy")}
      </Button>
    </div>
  );
}
