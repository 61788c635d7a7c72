import { ExternalLink } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { LinkButtons } from "#app/ui/sharing/link-buttons.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import type { ListedFile } from "#domain/wire.ts";
import type { FileAction } from "../file-dialog.tsx";
import { KeyMissing, nameOf } from "../shown-file.tsx";

interface FileLinkProps {
  file: ListedFile;
  /** Null for a sealed link whose key this browser does not have. */
  shareUrl: string | null;
  onChoose(action: FileAction): void;
}

/** Shows the link, with a QR code and other ways of sharing that need no mail address. */
export function FileLink({ file, shareUrl, onChoose }: FileLinkProps) {
  const t = useMessages("ownFile");
  return (
    <Card>
      <h2 className="mb-3 text-lg font-medium">{t("link")}</h2>
      {file.isExpired ? (
        <p className="text-muted">{t("endedHelp")}</p>
      ) : shareUrl === null ? (
        <p className="text-muted">
          <KeyMissing />
        </p>
      ) : (
        <LinkWays filename={nameOf(file)} shareUrl={shareUrl} onChoose={onChoose} />
      )}
    </Card>
  );
}

interface LinkWaysProps {
  filename: string;
  shareUrl: string;
  onChoose(action: FileAction): void;
}

function LinkWays({ filename, shareUrl, onChoose }: LinkWaysProps) {
  const t = useMessages("ownFile");
  return (
    <div className="grid gap-3">
      <ShareLink label={t("shareLink", { filename })} url={shareUrl} />
      <LinkButtons name={filename} url={shareUrl} onQr={() => onChoose("qr")}>
        <a href={shareUrl} target="_blank" rel="noreferrer" className={buttonClass("quiet")}>
          <ExternalLink size={18} aria-hidden />
          {t("open")}
        </a>
      </LinkButtons>
    </div>
  );
}
