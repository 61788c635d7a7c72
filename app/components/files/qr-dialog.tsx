import { lazy, Suspense } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { untilThere } from "#app/scripts.ts";
import { Dialog } from "../ui/dialog.tsx";

/** What draws it is fetched with the first. */
const QrCode = lazy(() => untilThere(() => import("./qr-code.tsx")));

interface QrDialogProps {
  filename: string;
  shareUrl: string;
  onClose(): void;
}

/** The link for a phone's camera. */
export function QrDialog({ filename, shareUrl, onClose }: QrDialogProps) {
  const say = useMessages("common");
  return (
    <Dialog title={say("qrCode")} description={say("qrCodeHelp", { filename })} onClose={onClose}>
      <div className="mx-auto aspect-square w-full max-w-72 overflow-hidden rounded-2xl bg-white">
        <Suspense>
          <QrCode url={shareUrl} label={say("qrCodeOf", { filename })} />
        </Suspense>
      </div>
      <p className="mt-4 text-center text-sm break-all text-muted select-all">{shareUrl}</p>
    </Dialog>
  );
}
