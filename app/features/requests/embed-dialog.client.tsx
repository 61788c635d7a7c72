import { Copy } from "lucide-react";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { embedCode } from "./embed-code.ts";

interface EmbedDialogProps {
  request: ListedUploadRequest;
  onClose(): void;
}

/** How somebody's own website sends into a request. */
export default function EmbedDialog({ request, onClose }: EmbedDialogProps) {
  const { title, link, origins, hasPassword } = request;
  const t = useMessages("requests");
  const code = embedCode(link);
  const problem = hasPassword ? t("embedPassword") : origins.length === 0 ? t("embedOrigins") : null;
  const copy = async () => {
    const isCopied = await copyText(code);
    toast(isCopied ? { title: t("copied") } : { title: t("copyFailed"), tone: "bad" });
  };
  return (
    <Dialog title={t("embedTitle")} description={t("embedHelp", { title })} wide onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {problem !== null && <p className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">{problem}</p>}
        {/* The focus lets the keys scroll it. */}
        <pre
          tabIndex={0}
          role="group"
          aria-label={t("embedCode")}
          className="overflow-x-auto rounded-xl border border-line bg-sunken p-4 text-sm leading-relaxed"
        >
          <code>{code}</code>
        </pre>
        <Button onClick={() => void copy()}>
          <Copy size={18} aria-hidden />
          {t("copy")}
        </Button>
      </div>
    </Dialog>
  );
}
