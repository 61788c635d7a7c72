import { Mail, QrCode, Share } from "lucide-react";
import { lazy, Suspense } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { mailtoLink } from "#app/ui/sharing/mailto-link.ts";
import { shareNatively, useCanShare } from "#app/ui/sharing/native-share.ts";
import type { LinkGuards } from "#domain/wire.ts";
import type { FinishedUpload } from "#engine/upload-types.ts";

const MailLink = lazy(() =>
  importWhenOnline(() => import("#app/ui/sharing/mail-link.client.tsx")).then(({ MailLink }) => ({
    default: MailLink,
  })),
);
const QrDialog = lazy(() =>
  importWhenOnline(() => import("#app/ui/sharing/qr-dialog.client.tsx")).then(({ QrDialog }) => ({
    default: QrDialog,
  })),
);

interface SharedLink extends Pick<FinishedUpload, "id" | "filename" | "shareUrl"> {
  guards?: LinkGuards | undefined;
}

export type ShareDialogKind = "qr" | "mail";

interface ShareActionsProps {
  file: SharedLink;
  /** A link is mailed once everything has arrived. */
  isFinished: boolean;
  /** The caller shows the ShareDialog. */
  onOpen(kind: ShareDialogKind): void;
}

export function ShareActions({ file, isFinished, onOpen }: ShareActionsProps) {
  const t = useMessages("uploads");
  const canShare = useCanShare();
  const isSignedIn = useCurrentUser() !== null;
  const mailto = useMailto(file);
  return (
    <div className="-mt-2 flex flex-wrap gap-2">
      {canShare && (
        <Button look="quiet" onClick={() => void shareNatively(file.filename, file.shareUrl)}>
          <Share size={18} aria-hidden />
          {t("share")}
        </Button>
      )}
      {mailto !== null && isFinished && (
        <a href={mailto} className={buttonClass("quiet")}>
          <Mail size={18} aria-hidden />
          {t("email")}
        </a>
      )}
      {mailto === null && isSignedIn && isFinished && (
        <Button
          look="quiet"
          onClick={() => {
            onOpen("mail");
          }}
        >
          <Mail size={18} aria-hidden />
          {t("email")}
        </Button>
      )}
      <Button
        look="quiet"
        onClick={() => {
          onOpen("qr");
        }}
      >
        <QrCode size={18} aria-hidden />
        {t("qrCode")}
      </Button>
    </div>
  );
}

/** For a sealed link, whose key our mailer must not see; else null. */
function useMailto({ filename, shareUrl }: SharedLink): string | null {
  const t = useMessages("sealing");
  return shareUrl.includes("#") ? mailtoLink(filename, t("mailBody", { name: filename, url: shareUrl })) : null;
}

interface ShareDialogProps {
  kind: ShareDialogKind;
  file: SharedLink;
  onClose(): void;
}

export function ShareDialog({ kind, file, onClose }: ShareDialogProps) {
  return (
    <Suspense>
      {kind === "mail" ? (
        <MailLink file={file} onClose={onClose} />
      ) : (
        <QrDialog filename={file.filename} shareUrl={file.shareUrl} onClose={onClose} />
      )}
    </Suspense>
  );
}
