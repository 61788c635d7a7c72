import { useNow } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { estimateTimeLeftMs, type ProgressSample } from "#domain/arrival-estimate.ts";
import { formatDuration } from "#domain/units.ts";

interface TransferProgressProps {
  percent: number;
  samples: readonly ProgressSample[];
}

/** How much of a transfer has arrived. Screen readers hear each tenth. */
export function TransferProgress({ percent, samples }: TransferProgressProps) {
  const t = useMessages("transfers");
  const tDownload = useMessages("download");
  const now = useNow();
  const leftMs = now === null ? null : estimateTimeLeftMs(samples, now);
  const tenth = Math.floor(percent / 10) * 10;
  return (
    <>
      <p className="mt-7 mb-2.5 font-display text-5xl font-semibold tabular-nums">{Math.floor(percent)} %</p>
      <ProgressBar label={tDownload("progress")} percent={percent} />
      <p className="mt-2 min-h-6 text-sm text-muted tabular-nums">
        {leftMs !== null && tDownload("aboutLeft", { time: formatDuration(leftMs) })}
      </p>
      <p role="status" className="sr-only">
        {tenth > 0 && t("arrived", { percent: tenth })}
      </p>
      <p className="mt-2 text-muted">{t("stillUploading")}</p>
    </>
  );
}
