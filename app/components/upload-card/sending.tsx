import type { Progress } from "#app/upload/progress.ts";
import { formatBytes, formatDuration } from "#domain/units.ts";
import { Button } from "../ui/button.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { ShareLink } from "./share-link.tsx";

interface SendingProps {
  file: File;
  shareUrl: string | null;
  progress: Progress;
  finishing: boolean;
  onCancel(): void;
}

export function Sending({ file, shareUrl, progress, finishing, onCancel }: SendingProps) {
  return (
    <div className="grid gap-5">
      <div>
        <h2 className="font-medium break-words">{file.name}</h2>
        <p className="text-sm text-muted">{formatBytes(file.size)}</p>
      </div>
      <div className="grid gap-2.5">
        <p className="font-display text-5xl font-semibold tabular-nums">{progress.percent} %</p>
        <ProgressBar label="Upload progress" percent={progress.percent} />
        <p className="flex justify-between gap-4 text-sm text-muted tabular-nums">
          <span>{progress.speed > 0 ? `${formatBytes(Math.round(progress.speed))}/s` : "Starting…"}</span>
          <span>{remaining(progress, finishing)}</span>
        </p>
      </div>
      {shareUrl && (
        <div className="grid gap-2">
          <p className="text-sm text-muted">The link works already: whoever opens it sees the file arrive.</p>
          <ShareLink url={shareUrl} />
        </div>
      )}
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function remaining({ timeLeftMs }: Progress, finishing: boolean): string {
  if (finishing) return "Finishing…";
  return timeLeftMs === null ? "" : `${formatDuration(timeLeftMs)} left`;
}
