import { useNow } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { estimateTimeLeftMs, type ProgressSample } from "#domain/arrival-estimate.ts";
import { formatDuration } from "#domain/units.ts";

interface ArrivalProgressProps {
  percent: number;
  samples: readonly ProgressSample[];
  /** A text that replaces the time left once everything has arrived. */
  atEnd?: string;
}

/** Shows how much of an upload has arrived, and an estimate of the time left. */
export function ArrivalProgress({ percent, samples, atEnd }: ArrivalProgressProps) {
  const t = useMessages("download");
  const now = useNow();
  const leftMs = now === null ? null : estimateTimeLeftMs(samples, now);
  const timeLeft = leftMs === null ? "" : t("aboutLeft", { time: formatDuration(leftMs) });
  return (
    <>
      <p className="mt-7 mb-2.5 font-display text-5xl font-semibold tabular-nums">{Math.floor(percent)} %</p>
      <ProgressBar label={t("progress")} percent={percent} />
      <p className="mt-2 min-h-6 text-sm text-muted tabular-nums">
        {percent >= 100 && atEnd !== undefined ? atEnd : timeLeft}
      </p>
    </>
  );
}
