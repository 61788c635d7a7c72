import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api, queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { currentUpload } from "./current-upload.ts";
import { UploadSocket } from "#app/lib/upload-socket.ts";
import { useUpload } from "./use-upload.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { formatBytes, SECOND_MS } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { toast } from "#app/ui/toast.ts";

/** Notices uploads that begin or end on other devices. */
const POLL_MS = 15 * SECOND_MS;
/** Rows that open a socket: each account has a limited number. */
const MAX_LIVE_ROWS = 8;

const NONE: UnfinishedUpload[] = [];

/** Uploads of the account that were interrupted or run on any device, to resume or discard. */
export function UnfinishedUploads() {
  const t = useMessages("files");
  const queries = useQueryClient();
  const { data: uploads = NONE } = useQuery({
    queryKey: queryKeys.unfinished,
    queryFn: api.unfinishedUploads,
    refetchOnMount: "always",
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: "always",
  });
  const ids = uploads.map(({ uploadId }) => uploadId).join();
  const previousIds = useRef(ids);
  useEffect(() => {
    const isGone = (id: string) => id !== "" && !ids.includes(id);
    // An upload that has left the list may be a finished file.
    if (previousIds.current.split(",").some(isGone)) void queries.invalidateQueries({ queryKey: queryKeys.files });
    previousIds.current = ids;
  }, [ids, queries]);
  if (uploads.length === 0) return null;
  return (
    <section className="mb-8">
      <h2 className="mb-3 text-lg font-medium">{t("unfinished")}</h2>
      <Card className="p-2! sm:p-3!">
        <ul className="divide-y divide-line">
          {uploads.map((upload, index) => (
            <UnfinishedRow key={upload.uploadId} upload={upload} isLive={index < MAX_LIVE_ROWS} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

/** The percentage that the sending device reports. Reloads the list when the upload ends. */
function useLivePercent({ downloadId, progress }: UnfinishedUpload, isLive: boolean): number {
  const queries = useQueryClient();
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    if (!isLive) return;
    const socket = new UploadSocket(downloadId, {
      onMessage: (message) => {
        if (message.type === "upload_progress") setPercent(message.progress);
        if (message.type === "upload_ended") void queries.invalidateQueries({ queryKey: queryKeys.unfinished });
      },
    });
    return () => {
      socket.close();
    };
  }, [downloadId, isLive, queries]);
  return Math.max(percent, progress);
}

function UnfinishedRow({ upload, isLive }: { upload: UnfinishedUpload; isLive: boolean }) {
  const t = useMessages("files");
  const { filename } = upload;
  const size = formatBytes(upload.size, t.locale);
  const picker = useRef<HTMLInputElement>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const queries = useQueryClient();
  const currentState = useUpload();
  const isHere = currentState.mode === "sending" && currentState.link?.uploadId === upload.uploadId;
  // An upload that ran in this tab has no sender any more: its socket would receive nothing.
  const [wasHere, setWasHere] = useState(isHere);
  if (isHere && !wasHere) setWasHere(true);
  const discard = useMutation({
    mutationFn: () => api.cancelUpload(upload.downloadId),
    onSuccess: () => {
      if (isHere) currentUpload.cancel();
      toast({ title: t("discarded"), description: t("discardedHelp", { filename }) });
    },
    onError: errorToast(t("discardFailed"), t("discardFailedHelp")),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.unfinished }),
  });
  // The server accepts no new socket while an upload is being discarded.
  const listens = isLive && !wasHere && (discard.isIdle || discard.isError);
  const livePercent = useLivePercent(upload, listens);
  const percent = Math.floor(isHere ? currentState.progress.percent : livePercent);

  const resume = (file: File) => {
    if (file.name !== filename || file.size !== upload.size) {
      toast({ title: t("otherFile"), description: t("otherFileHelp", { filename, size }), tone: "bad" });
      return;
    }
    const options = { expiration: upload.expiration, expirationChosen: upload.expirationChosen };
    currentUpload.start({ file, options, method: upload.transport === "chunks" ? "chunked" : "direct" });
  };

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-3 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="truncate font-medium" title={filename}>
          {filename}
        </p>
        <p className="mb-2 text-sm text-muted tabular-nums">
          {t(isHere ? "percentOfHere" : "percentOf", { percent, size })}
        </p>
        <ProgressBar label={t("progressOf", { filename })} percent={percent} />
      </div>
      {!isHere && (
        <Button look="quiet" onClick={() => picker.current?.click()}>
          <RotateCcw size={18} aria-hidden />
          {t("resume")}
        </Button>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t("chooseAgain", { filename })}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) resume(file);
        }}
      />
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
        <Dialog
          title={t("discardQuestion")}
          description={t("discardWarning", { filename })}
          onClose={() => {
            setIsConfirming(false);
          }}
        >
          <div className="grid grid-cols-2 gap-3">
            <Button
              look="quiet"
              onClick={() => {
                setIsConfirming(false);
              }}
            >
              {t("keepIt")}
            </Button>
            <Button
              look="danger"
              disabled={discard.isPending}
              onClick={() => {
                discard.mutate();
              }}
            >
              {t(discard.isPending ? "discarding" : "discard")}
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
