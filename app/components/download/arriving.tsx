import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { LiveSocket } from "#app/upload/live-socket.ts";
import { formatBytes } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { Card } from "../ui/card.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";

/** A file whose sender is still uploading it: live progress, which turns into the download by itself. */
export function Arriving({ downloadId, info }: { downloadId: string; info: DownloadInfo }) {
  const [percent, setPercent] = useState(info.progress ?? 0);
  const { revalidate } = useRevalidator();

  useEffect(() => {
    const socket = new LiveSocket(downloadId, {
      onOpen: revalidate,
      onMessage: (message) => {
        if (message.type === "upload_progress") setPercent((now) => Math.max(now, message.progress));
        if (message.type === "upload_ended") revalidate();
      },
    });
    return () => {
      socket.close();
    };
  }, [downloadId, revalidate]);

  return (
    <Card>
      <p className="text-sm font-medium text-amber">On its way</p>
      <h1 className="mt-1 font-display text-3xl font-semibold break-words">{info.filename}</h1>
      <p className="mt-1 text-muted">{formatBytes(info.size)}</p>
      <p className="mt-8 mb-2.5 font-display text-5xl font-semibold tabular-nums">{Math.floor(percent)} %</p>
      <ProgressBar label="Upload progress" percent={percent} />
      <p className="mt-4 text-muted">
        The sender is still uploading this file. Keep this page open: the download appears here as soon as it is ready.
      </p>
    </Card>
  );
}
