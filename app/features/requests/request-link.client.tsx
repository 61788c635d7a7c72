import { Share } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import { shareNatively, useCanShare } from "#app/ui/sharing/ways-to-share.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";

const QrCode = lazy(() => importWhenOnline(() => import("#app/ui/sharing/qr-code.client.tsx")));

interface RequestLinkProps {
  request: ListedUploadRequest;
  /** Whether the request was made just now. */
  isNew: boolean;
  onClose(): void;
}

/** The link of a request, to copy, share or scan. */
export default function RequestLink({ request: { title, link }, isNew, onClose }: RequestLinkProps) {
  const t = useMessages("requests");
  const tSharing = useMessages("sharing");
  const canShare = useCanShare();
  return (
    <Dialog
      title={t(isNew ? "made" : "link")}
      description={t(isNew ? "madeHelp" : "qrHelp", { title })}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <ShareLink label={t("link")} url={link} />
        <div className="mx-auto aspect-square w-full max-w-56 overflow-hidden rounded-2xl bg-white">
          <Suspense>
            <QrCode url={link} label={t("qrOf", { title })} />
          </Suspense>
        </div>
        {canShare && (
          <Button icon={Share} look="quiet" onClick={() => void shareNatively(title, link)}>
            {tSharing("share")}
          </Button>
        )}
        <Button look={isNew ? "primary" : "quiet"} onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
