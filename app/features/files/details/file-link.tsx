import { ExternalLink, QrCode, Share } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { shareNatively, useCanShare } from "#app/ui/sharing/native-share.ts";
import { toast } from "#app/ui/toast.ts";
import type { ListedFile } from "#domain/wire.ts";
import type { FileAction } from "../file-dialog.tsx";
import { nameOf } from "../file-name.ts";

interface FileLinkProps {
  file: ListedFile;
  /** Null for a sealed link whose key this browser does not have. */
  shareUrl: string | null;
  onChoose(action: FileAction): void;
}

/** The link itself, and the ways to pass it on that need no address. */
export function FileLink({ file, shareUrl, onChoose }: FileLinkProps) {
  const t = useMessages("ownFile");
  return (
    <Card>
      <h2 className="mb-3 text-lg font-medium">{t("link")}</h2>
      {file.isExpired ? (
        <p className="text-muted">{t("endedHelp")}</p>
      ) : shareUrl === null ? (
        <KeyMissing />
      ) : (
        <LinkWays filename={nameOf(file)} shareUrl={shareUrl} onChoose={onChoose} />
      )}
    </Card>
  );
}

function KeyMissing() {
  const t = useMessages("sealing");
  return (
    <p className="text-muted">
      <span className="font-medium text-amber-ink">{t("keyMissing")}.</span> {t("keyMissingHelp")}
    </p>
  );
}

interface LinkWaysProps {
  filename: string;
  shareUrl: string;
  onChoose(action: FileAction): void;
}

function LinkWays({ filename, shareUrl, onChoose }: LinkWaysProps) {
  const t = useMessages("ownFile");
  const tFiles = useMessages("files");
  const tSharing = useMessages("sharing");
  const canShare = useCanShare();
  const tell = (hasWorked: boolean) => {
    toast(
      hasWorked
        ? { title: tFiles("linkCopied") }
        : { title: tFiles("copyFailed"), description: tFiles("copyFailedHelp"), tone: "bad" },
    );
  };
  return (
    <>
      <CopyField
        label={t("shareLink", { filename })}
        value={shareUrl}
        words={{ copy: t("copy"), copied: t("copied") }}
        onCopied={tell}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        {canShare && (
          <Button look="quiet" onClick={() => void shareNatively(filename, shareUrl)}>
            <Share size={18} aria-hidden />
            {tFiles("share")}
          </Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            onChoose("qr");
          }}
        >
          <QrCode size={18} aria-hidden />
          {tSharing("qrCode")}
        </Button>
        <a href={shareUrl} target="_blank" rel="noreferrer" className={buttonClass("quiet")}>
          <ExternalLink size={18} aria-hidden />
          {t("open")}
        </a>
      </div>
    </>
  );
}
