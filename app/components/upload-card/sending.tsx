import { useMessages } from "#app/messages/messages.ts";
import { useOnline } from "#app/online.ts";
import { currentUpload, type UploadState } from "#app/upload/current-upload.ts";
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
  const say = useMessages("uploads");
  const online = useOnline();
  const { timeLeftMs } = progress;
  const timeLeft = timeLeftMs === null ? "" : say("timeLeft", { duration: formatDuration(timeLeftMs) });
  return (
    <div className="grid gap-5">
      <div>
        <h2 className="font-medium break-words">{file.name}</h2>
        <p className="text-sm text-muted">{formatBytes(file.size, say.locale)}</p>
      </div>
      <div className="grid gap-2.5">
        <p className="font-display text-5xl font-semibold tabular-nums">{progress.percent} %</p>
        <ProgressBar label={say("uploadProgress")} percent={progress.percent} />
        <p className="flex justify-between gap-4 text-sm text-muted tabular-nums">
          <span>
            {progress.speed > 0 ? `${formatBytes(Math.round(progress.speed), say.locale)}/s` : say("starting")}
          </span>
          <span>{finishing ? say("processing") : timeLeft}</span>
        </p>
        {chunk && <p className="text-sm text-muted tabular-nums">{say("chunkOf", chunk)}</p>}
        {!online && (
          <p role="status" className="text-sm font-medium text-amber-ink">
            {say("offline")}
          </p>
        )}
      </div>
      {link && (
        <div className="grid gap-2">
          <p className="text-sm text-muted">{say("linkWorks")}</p>
          <ShareLink url={link.shareUrl} label={say(wording.shareLink)} />
        </div>
      )}
      <Button
        look="quiet"
        onClick={() => {
          currentUpload.cancel();
          toast({ title: say("uploadAborted"), description: say("abortedFile", { filename: file.name }) });
        }}
      >
        {say(wording.cancel)}
      </Button>
    </div>
  );
}
