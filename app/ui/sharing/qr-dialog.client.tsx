import { lazy, Suspense } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Dialog } from "#app/ui/dialog.tsx";

/** Loads the QR code library when the first dialog opens. */
const QrCode = lazy(() => importWhenOnline(() => import("./qr-code.client.tsx")));

interface QrDialogProps {
  filename: string;
  shareUrl: string;
  onClose(): void;
}

export default function QrDialog({ filename, shareUrl, onClose }: QrDialogProps) {
  const t = useMessages("sharing");
  return (
    <Dialog title={t("qrCode")} description={t("qrCodeHelp", { filename })} onClose={onClose}>
      <div className="mx-auto aspect-square w-full max-w-72 overflow-hidden rounded-2xl bg-white">
        <Suspense>
          <QrCode url={shareUrl} label={t("qrCodeOf", { filename })} />
        </Suspense>
      </div>
      <p className="mt-4 text-center text-sm break-all text-muted select-all">{shareUrl}</p>
    </Dialog>
  );
}
