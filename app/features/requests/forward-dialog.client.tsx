import { Mail, QrCode, Share } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { MailLink } from "#app/ui/sharing/mail-link.client.tsx";
import { shareNatively, useCanShare } from "#app/ui/sharing/native-share.ts";
import { QrDialog } from "#app/ui/sharing/qr-dialog.client.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";

interface ForwardDialogProps {
  transfer: ReceivedTransfer;
  onClose(): void;
}

/** The link of a received transfer, to copy, to share, to mail and to scan. */
export default function ForwardDialog({ transfer: { id, title, link }, onClose }: ForwardDialogProps) {
  const t = useMessages("received");
  const canShare = useCanShare();
  const [way, setWay] = useState<"mail" | "qr" | null>(null);
  const shareUrl = link ?? "";
  if (way === "mail") return <MailLink file={{ id, filename: title }} onClose={onClose} />;
  if (way === "qr") return <QrDialog filename={title} shareUrl={shareUrl} onClose={onClose} />;
  return (
    <Dialog title={t("linkTitle", { title })} description={t("linkHelp")} onClose={onClose}>
      <div className="grid gap-4">
        <CopyField
          label={t("link")}
          value={shareUrl}
          words={{ copy: t("copy"), copied: t("copied") }}
          onCopied={(hasWorked) => {
            toast(
              hasWorked
                ? { title: t("linkCopied") }
                : { title: t("copyFailed"), description: t("copyFailedHelp"), tone: "bad" },
            );
          }}
        />
        <div className="flex flex-wrap gap-2">
          {canShare && (
            <Button look="quiet" onClick={() => void shareNatively(title, shareUrl)}>
              <Share size={18} aria-hidden />
              {t("share")}
            </Button>
          )}
          <Button
            look="quiet"
            onClick={() => {
              setWay("mail");
            }}
          >
            <Mail size={18} aria-hidden />
            {t("email")}
          </Button>
          <Button
            look="quiet"
            onClick={() => {
              setWay("qr");
            }}
          >
            <QrCode size={18} aria-hidden />
            {t("qrCode")}
          </Button>
        </div>
        <Button look="quiet" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
