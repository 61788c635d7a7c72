import { CircleCheck, Mail, QrCode, Share } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { shareNatively, useCanShare } from "#app/ui/sharing/native-share.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { currentUpload } from "./current-upload.ts";
import type { FinishedUpload } from "./engine/upload-types.ts";
import { formatBytes } from "#domain/units.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { Expiry } from "#app/ui/expiry.tsx";
import { Button } from "#app/ui/button.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import type { Wording } from "./wording.ts";

const MailLink = lazy(() =>
  importWhenOnline(() => import("#app/ui/sharing/mail-link.tsx")).then(({ MailLink }) => ({ default: MailLink })),
);
const QrDialog = lazy(() =>
  importWhenOnline(() => import("#app/ui/sharing/qr-dialog.tsx")).then(({ QrDialog }) => ({ default: QrDialog })),
);

interface ShareActionsProps {
  result: Pick<FinishedUpload, "id" | "filename" | "shareUrl">;
  /** A link is mailed once everything has arrived. */
  isFinished: boolean;
}

export function ShareActions({ result, isFinished }: ShareActionsProps) {
  const t = useMessages("uploads");
  const [openDialog, setOpenDialog] = useState<"qr" | "mail" | null>(null);
  const canShare = useCanShare();
  const isSignedIn = useCurrentUser() !== null;
  const close = () => {
    setOpenDialog(null);
  };
  return (
    <div className="-mt-2 flex flex-wrap gap-2">
      {canShare && (
        <Button look="quiet" onClick={() => void shareNatively(result.filename, result.shareUrl)}>
          <Share size={18} aria-hidden />
          {t("share")}
        </Button>
      )}
      {isSignedIn && isFinished && (
        <Button
          look="quiet"
          onClick={() => {
            setOpenDialog("mail");
          }}
        >
          <Mail size={18} aria-hidden />
          {t("email")}
        </Button>
      )}
      <Button
        look="quiet"
        onClick={() => {
          setOpenDialog("qr");
        }}
      >
        <QrCode size={18} aria-hidden />
        {t("qrCode")}
      </Button>
      <Suspense>
        {openDialog === "mail" && <MailLink file={result} onClose={close} />}
        {openDialog === "qr" && <QrDialog filename={result.filename} shareUrl={result.shareUrl} onClose={close} />}
      </Suspense>
    </div>
  );
}

interface SentProps {
  result: FinishedUpload;
  /** Beside the name; the size by default. */
  details?: string;
  wording: Wording;
}

export function Sent({ result, details, wording }: SentProps) {
  const t = useMessages("uploads");
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck size={28} aria-hidden className="mt-0.5 shrink-0 text-reed" />
        <div className="min-w-0">
          <h2 className="text-lg font-medium">{t(wording.done)}</h2>
          <p className="text-sm break-words text-muted">
            {result.filename} · {details ?? formatBytes(result.size, t.locale)}
          </p>
        </div>
      </div>
      <ShareLink url={result.shareUrl} label={t(wording.shareLink)} />
      <ShareActions result={result} isFinished />
      <p className="text-sm text-muted">
        <Expiry expiresAt={result.expiresAt} />
      </p>
      <Button
        look="quiet"
        onClick={() => {
          currentUpload.reset();
        }}
      >
        {t("uploadAnother")}
      </Button>
    </div>
  );
}
