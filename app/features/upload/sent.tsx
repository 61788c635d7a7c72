import { CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Expiry } from "#app/ui/moments.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import { formatBytes } from "#domain/units.ts";
import type { LinkProtection } from "#domain/wire.ts";
import type { FinishedUpload } from "#engine/upload-types.ts";
import { currentUpload } from "./current-upload.ts";
import type { Wording } from "./link-choice.ts";
import { TileStrip } from "./tile-strip.tsx";
import { ShareActions, ShareDialog, type ShareDialogKind } from "./share-actions.tsx";

interface SentProps {
  result: FinishedUpload;
  /** Shown beside the name. */
  details: string;
  wording: Wording;
  /** The text of the button that returns to the choice of files. */
  again: string;
  onShare(kind: ShareDialogKind): void;
  /** Shows the link's protection. */
  protection: ReactNode;
  /** Shown at the end of the heading. */
  action?: ReactNode;
  /** Shown between the heading and the link. */
  children?: ReactNode;
}

export function SentCard({ result, details, wording, again, onShare, protection, action, children }: SentProps) {
  const t = useMessages("uploads");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex items-start gap-3">
        <CircleCheck size={28} aria-hidden className="mt-0.5 shrink-0 text-reed" />
        <div className="min-w-0 flex-1">
          <h2 className="text-lg font-medium">{t(wording.done)}</h2>
          <p className="text-sm break-words text-muted">
            {result.filename} · {details}
          </p>
        </div>
        {action}
      </div>
      {children}
      <ShareLink url={result.shareUrl} label={t(wording.shareLink)} />
      <ShareActions file={result} isFinished onOpen={onShare} />
      {protection}
      <p className="text-sm text-muted">
        <Expiry expiresAt={result.expiresAt} />
      </p>
      <Button look="quiet" onClick={() => currentUpload.reset()}>
        {again}
      </Button>
    </div>
  );
}

interface SentFileProps extends Pick<SentProps, "result" | "wording" | "protection"> {
  /** The address of a small picture of the file; null if there is none. */
  tile: string | null;
  guards: LinkProtection | undefined;
}

/** A single file. */
export function SentFile({ result, guards, tile, ...others }: SentFileProps) {
  const t = useMessages("uploads");
  const [dialog, setDialog] = useState<ShareDialogKind | null>(null);
  return (
    <>
      <SentCard
        result={result}
        details={formatBytes(result.size, t.locale)}
        again={t("uploadAnother")}
        {...others}
        onShare={setDialog}
      >
        <TileStrip urls={tile === null ? [] : [tile]} />
      </SentCard>
      {dialog && <ShareDialog kind={dialog} file={{ ...result, guards }} onClose={() => setDialog(null)} />}
    </>
  );
}
