import { lazy, Suspense } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { LinkButtons } from "#app/ui/sharing/link-buttons.tsx";
import { mailtoLink } from "#app/ui/sharing/ways-to-share.ts";
import type { LinkProtection } from "#domain/wire.ts";
import type { FinishedUpload } from "#engine/upload-types.ts";

const MailLink = lazy(() => importWhenOnline(() => import("#app/ui/sharing/mail-link.client.tsx")));
const QrDialog = lazy(() => importWhenOnline(() => import("#app/ui/sharing/qr-dialog.client.tsx")));

interface SharedLink extends Pick<FinishedUpload, "id" | "filename" | "shareUrl"> {
  guards?: LinkProtection | undefined;
}

export type ShareDialogKind = "qr" | "mail";

interface ShareActionsProps {
  file: SharedLink;
  /** Whether all files have arrived. Until then the link cannot be mailed. */
  isFinished: boolean;
  /** The caller shows the ShareDialog. */
  onOpen(kind: ShareDialogKind): void;
}

export function ShareActions({ file, isFinished, onOpen }: ShareActionsProps) {
  const isSignedIn = useCurrentUser() !== null;
  const mailto = useMailto(file);
  const openMail = isSignedIn ? () => onOpen("mail") : null;
  return (
    <div className="-mt-2">
      <LinkButtons
        name={file.filename}
        url={file.shareUrl}
        mail={isFinished ? (mailto ?? openMail) : null}
        onQr={() => onOpen("qr")}
      />
    </div>
  );
}

/** A `mailto:` address for a sealed link, whose key our mailer must not see; null for a plain link. */
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
