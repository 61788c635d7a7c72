import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";

export function CopyPassword({ password }: { password: string }) {
  const t = useMessages("guards");
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    const isCopied = await copyText(password);
    setCopied(isCopied ? password : null);
    toast(
      isCopied ? { title: t("copied") } : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
    );
  };
  const Icon = copied === password ? Check : Copy;
  return (
    <Button icon={Icon} look="quiet" className="shrink-0" onClick={() => void copy()}>
      {t("copyPassword")}
    </Button>
  );
}
