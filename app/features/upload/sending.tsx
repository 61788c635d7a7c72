import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useOnline } from "#app/lib/online.ts";
import { Button } from "#app/ui/button.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import { toast } from "#app/ui/toast.ts";
import { SEGMENTED_FROM_BYTES } from "#domain/segments.ts";
import { formatBytes, formatDuration } from "#domain/units.ts";
import type { Progress } from "#engine/progress.ts";
import { currentUpload, type CardState } from "./current-upload.ts";
import type { Wording } from "./link-choice.ts";
import { TileStrip } from "./tile-strip.tsx";
import { SendingDownloads } from "./sending-downloads.tsx";

interface SendingProps {
  upload: Extract<CardState, { mode: "sending" }>;
  wording: Wording;
  /** Shows the link's protection. */
  protection: ReactNode;
}

export function SendingCard({ upload, wording, protection }: SendingProps) {
  const { file, link, chunk, tile } = upload;
  const t = useMessages("uploads");
  const tGuards = useMessages("guards");
  const use = file.size >= SEGMENTED_FROM_BYTES ? "linkDownloads" : "linkWorks";
  return (
    <div className="grid gap-5">
      <div className="flex items-center gap-3">
        <TileStrip urls={tile === null ? [] : [tile]} />
        <div className="min-w-0">
          <h2 className="font-medium break-words">{file.name}</h2>
          <p className="text-sm text-muted">{formatBytes(file.size, t.locale)}</p>
        </div>
      </div>
      <SendingProgress {...upload}>
        {chunk && <p className="text-sm text-muted tabular-nums">{t("chunkOf", chunk)}</p>}
      </SendingProgress>
      {link && (
        <div className="grid gap-2">
          <p className="text-sm text-muted">{link.guards?.password ? tGuards(use) : t(use)}</p>
          <ShareLink url={link.shareUrl} label={t(wording.shareLink)} />
          <SendingDownloads uploadId={link.uploadId} sizeBytes={file.size} />
          {protection}
        </div>
      )}
      <Button
        look="quiet"
        onClick={() => {
          currentUpload.cancel();
          toast({ title: t("uploadAborted"), description: t("abortedFile", { filename: file.name }) });
        }}
      >
        {t(wording.cancel)}
      </Button>
    </div>
  );
}

interface SendingProgressProps {
  progress: Progress;
  finishing: boolean;
  /** The reason for waiting, shown instead of speed and time left. */
  waitsFor?: string | undefined;
  children: ReactNode;
}

/** Percent, speed and time left. */
export function SendingProgress({ progress, finishing, waitsFor, children }: SendingProgressProps) {
  const t = useMessages("uploads");
  const online = useOnline();
  const { timeLeftMs } = progress;
  const timeLeft = timeLeftMs === null ? "" : t("timeLeft", { duration: formatDuration(timeLeftMs) });
  const speed = progress.speed > 0 ? `${formatBytes(Math.round(progress.speed), t.locale)}/s` : t("starting");
  return (
    <div className="grid gap-2.5">
      <p className="font-display text-5xl font-semibold tabular-nums">{progress.percent} %</p>
      <ProgressBar label={t("uploadProgress")} percent={progress.percent} />
      <p className="flex justify-between gap-4 text-sm text-muted tabular-nums">
        <span>{waitsFor ?? speed}</span>
        <span>{finishing ? t("processing") : waitsFor ? "" : timeLeft}</span>
      </p>
      {children}
      {!online && (
        <p role="status" className="text-sm font-medium text-amber-ink">
          {t("offline")}
        </p>
      )}
    </div>
  );
}
