import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { LinkButtons } from "#app/ui/sharing/link-buttons.tsx";
import MailLink from "#app/ui/sharing/mail-link.client.tsx";
import QrDialog from "#app/ui/sharing/qr-dialog.client.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import type { ReceivedTransfer } from "#domain/wire.ts";

interface ForwardDialogProps {
  transfer: ReceivedTransfer;
  onClose(): void;
}

/** The link of a received transfer, to copy, share, mail or scan. */
export default function ForwardDialog({ transfer: { id, title, link }, onClose }: ForwardDialogProps) {
  const t = useMessages("received");
  const [way, setWay] = useState<"mail" | "qr" | null>(null);
  const shareUrl = link ?? "";
  if (way === "mail") return <MailLink file={{ id, filename: title }} onClose={onClose} />;
  if (way === "qr") return <QrDialog filename={title} shareUrl={shareUrl} onClose={onClose} />;
  return (
    <Dialog title={t("linkTitle", { title })} description={t("linkHelp")} onClose={onClose}>
      <div className="grid gap-4">
        <ShareLink label={t("link")} url={shareUrl} />
        <LinkButtons name={title} url={shareUrl} mail={() => setWay("mail")} onQr={() => setWay("qr")} />
        <Button look="quiet" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
