import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { api, queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { senderLive } from "#app/lib/live.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { TransferSocket } from "#engine/transfer-socket.ts";
import { UploadSocket } from "#engine/upload-socket.ts";
import { Button } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FileName } from "#app/ui/file-name.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { Question } from "#app/ui/question.tsx";
import { toast } from "#app/ui/toast.ts";
import { currentUpload } from "./current-upload.ts";

/** The percentage that the sending device reports. Reloads the list when the upload ends. */
function useLivePercent({ downloadId, progress, entries }: UnfinishedUpload, isLive: boolean): number {
  const queries = useQueryClient();
  const [percent, setPercent] = useState(0);
  const isTransfer = entries !== undefined;
  useEffect(() => {
    if (!isLive) return;
    const end = () => void queries.invalidateQueries({ queryKey: queryKeys.unfinished });
    const socket = isTransfer
      ? new TransferSocket(senderLive, downloadId, {
          onMessage: (message) => {
            if ("percent" in message) setPercent(message.percent);
            if (message.type === "upload_ended") end();
          },
        })
      : new UploadSocket(senderLive, downloadId, {
          onMessage: (message) => {
            if (message.type === "upload_progress") setPercent(message.progress);
            if (message.type === "upload_ended") end();
          },
        });
    return () => {
      socket.close();
    };
  }, [downloadId, isTransfer, isLive, queries]);
  return Math.max(percent, progress);
}

async function forgetKeys(downloadId: string): Promise<void> {
  const { forgetLink } = await importWhenOnline(() => import("#app/lib/sealing/kept-links.client.ts"));
  await forgetLink(downloadId);
}

interface UnfinishedRowProps {
  upload: UnfinishedUpload;
  /** Opens a socket. */
  isLive: boolean;
  /** Percent, when this tab sends it; else null. */
  percentHere: number | null;
  describe(percent: number): string;
  /** What goes on with the upload. */
  children: ReactNode;
}

/** An unfinished upload, with its progress and a way to discard it. */
export function UnfinishedRow({ upload, isLive, percentHere, describe, children }: UnfinishedRowProps) {
  const t = useMessages("files");
  const { filename } = upload;
  const [isConfirming, setIsConfirming] = useState(false);
  const queries = useQueryClient();
  const isHere = percentHere !== null;
  // An upload that ran in this tab has no sender any more: its socket would receive nothing.
  const [wasHere, setWasHere] = useState(isHere);
  if (isHere && !wasHere) setWasHere(true);
  const discard = useMutation({
    mutationFn: () => api.cancelUpload(upload.downloadId),
    onSuccess: () => {
      if (isHere) currentUpload.cancel();
      if (upload.seal) void forgetKeys(upload.downloadId);
      toast({ title: t("discarded"), description: t("discardedHelp", { filename }) });
    },
    onError: errorToast(t("discardFailed"), t("discardFailedHelp")),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.unfinished }),
  });
  // The server accepts no new socket while an upload is being discarded.
  const listens = isLive && !wasHere && (discard.isIdle || discard.isError);
  const livePercent = useLivePercent(upload, listens);
  const percent = Math.floor(percentHere ?? livePercent);

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-3 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">
          <FileName name={filename} />
        </p>
        <p className="mb-2 text-sm text-muted tabular-nums">{describe(percent)}</p>
        <ProgressBar label={t("progressOf", { filename })} percent={percent} />
      </div>
      {children}
      <Button
        look="danger"
        className="px-3!"
        aria-label={t("discardFile", { filename })}
        onClick={() => {
          setIsConfirming(true);
        }}
      >
        <Trash2 size={18} aria-hidden />
      </Button>
      {isConfirming && (
        <Question
          title={t("discardQuestion")}
          text={t("discardWarning", { filename })}
          yes={t(discard.isPending ? "discarding" : "discard")}
          no={t("keepUpload")}
          isBusy={discard.isPending}
          onYes={() => {
            discard.mutate();
          }}
          onClose={() => {
            setIsConfirming(false);
          }}
        />
      )}
    </li>
  );
}
