import { useEffect, useReducer, useRef } from "react";
import { api } from "#app/lib/api.ts";
import { useNow } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useRevalidate } from "#app/lib/use-revalidate.ts";
import { addProgressSample, isSenderSilent } from "#domain/arrival-estimate.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { DownloadInfo } from "#domain/wire.ts";
import { ArrivalProgress } from "./arrival-progress.tsx";
import { changesPage } from "./refusal.ts";

/**
 * Polls while no socket is open, because some networks block sockets. The rhythm begins with the page: one that began with
 * the end of the socket would be the same on all pages, since a deployment ends all sockets at once.
 */
const POLL_MS = 15 * SECOND_MS;

interface UploadInProgressProps {
  downloadId: string;
  info: DownloadInfo;
  /** The download that follows the upload: `asking` waits for the first byte, `running` has been given to the browser. */
  download: "none" | "asking" | "running";
}

/** Shows the progress of an upload until the upload is complete, and what a download that follows it waits for. */
export default function UploadInProgress({ downloadId, info, download }: UploadInProgressProps) {
  const t = useMessages("download");
  const [samples, addSample] = useReducer(addProgressSample, []);
  const revalidate = useRevalidate();
  const isLive = useRef(false);

  useEffect(() => {
    let socket: { close(): void } | undefined;
    let isUnmounted = false;
    // Loaded on demand, because most visitors open a finished file.
    const listen = async () => {
      const { watchUpload } = await importWhenOnline(() => import("#app/lib/arriving.client.ts"));
      if (isUnmounted) return;
      socket = watchUpload(downloadId, {
        onOpen: () => {
          isLive.current = true;
          revalidate();
        },
        onClose: () => {
          isLive.current = false;
        },
        onMessage: (message) => {
          if (message.type === "upload_progress") addSample({ at: Date.now(), percent: message.progress });
          if (message.type === "upload_ended" || message.type === "pictures") revalidate();
        },
      });
    };
    listen().catch(() => undefined);
    return () => {
      isUnmounted = true;
      socket?.close();
    };
  }, [downloadId, revalidate]);

  useEffect(() => {
    const poll = async () => {
      if (isLive.current) return;
      try {
        const { status, progress } = await api.downloadInfo(downloadId);
        if (status === "ready") revalidate();
        else addSample({ at: Date.now(), percent: progress ?? 0 });
      } catch (error) {
        // Errors other than 401, 404 and 410 may be temporary.
        if (changesPage(error)) revalidate();
      }
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [downloadId, revalidate]);

  const percent = Math.max(info.progress ?? 0, samples.at(-1)?.percent ?? 0);
  const now = useNow();
  const isSilent = now !== null && percent < 100 && isSenderSilent(samples, now);
  const isWaiting = download === "asking" || (download === "running" && isSilent);
  return (
    <>
      <ArrivalProgress percent={percent} samples={samples} atEnd={t("almostThere")} />
      {/* The percentage stands still while the sender is silent, so screen readers hear it once. */}
      <p role="status" className="mt-1 text-sm empty:hidden">
        {isWaiting && (
          <>
            <span className="block font-medium text-amber-ink">
              {t("waitingForSender", { percent: Math.floor(percent) })}
            </span>
            <span className="text-muted">{download === "running" && t("waitingHelp")}</span>
          </>
        )}
        {download === "running" && !isWaiting && <span className="text-muted">{t("followRunning")}</span>}
      </p>
      {info.followUrl === undefined && <p className="mt-3 text-muted">{t("stillUploading")}</p>}
    </>
  );
}
