import { currentUpload, type UploadState } from "#app/upload/current-upload.ts";
import type { Progress } from "#app/upload/progress.ts";
import { useOnline } from "#app/upload/use-upload.ts";
import { formatBytes, formatDuration } from "#domain/units.ts";
import { Button } from "../ui/button.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { toast } from "../ui/toast.tsx";
import { ShareLink } from "./share-link.tsx";
import type { Wording } from "./wording.ts";

interface SendingProps {
  upload: Extract<UploadState, { mode: "sending" }>;
  wording: Wording;
}

export function Sending({ upload, wording }: SendingProps) {
  const { file, link, progress, finishing, chunk } = upload;
  const online = useOnline();
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
          <span>{finishing ? "Processing..." : remaining(progress)}</span>
        </p>
        {chunk && (
          <p className="text-sm text-muted tabular-nums">
            Chunk {chunk.number}/{chunk.total}
          </p>
        )}
        {!online && (
          <p role="status" className="text-sm font-medium text-amber-ink">
            You are offline. The upload goes on by itself when the network is back.
          </p>
        )}
      </div>
      {link && (
        <div className="grid gap-2">
          <p className="text-sm text-muted">The link works already: whoever opens it sees the file arrive.</p>
          <ShareLink url={link.shareUrl} label={wording.shareLink} />
        </div>
      )}
      <Button
        look="quiet"
        onClick={() => {
          currentUpload.cancel();
          toast({ title: "Upload aborted", description: `${file.name} was not uploaded; what had arrived is gone.` });
        }}
      >
        {wording.cancel}
      </Button>
    </div>
  );
}

function remaining({ timeLeftMs }: Progress): string {
  return timeLeftMs === null ? "" : `${formatDuration(timeLeftMs)} left`;
}
