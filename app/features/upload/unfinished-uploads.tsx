import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api, queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { currentUpload } from "#app/features/upload/current-upload.ts";
import { LiveSocket } from "#app/lib/live-socket.ts";
import { useUpload } from "#app/features/upload/use-upload.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { formatBytes, SECOND_MS } from "#domain/units.ts";
import type { UnfinishedUpload } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { toast } from "#app/ui/toast.ts";

/** How often the list asks whether an upload has begun or ended on some other device. */
const POLL_MS = 15 * SECOND_MS;
/** So many rows listen to their upload; an account's open sockets are limited. */
const ROWS_LIVE = 8;

const NONE: UnfinishedUpload[] = [];

/**
 * Uploads that broke off, or are on their way on some device: go on with one, or discard it. Each says itself how far it
 * is, which the page does not wait for.
 */
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
  const known = useRef(ids);
  useEffect(() => {
    const isGone = (id: string) => id !== "" && !ids.includes(id);
    // One that is no longer unfinished may be a file now.
    if (known.current.split(",").some(isGone)) void queries.invalidateQueries({ queryKey: queryKeys.files });
    known.current = ids;
  }, [ids, queries]);
  if (uploads.length === 0) return null;
  return (
    <section className="mb-8">
      <h2 className="mb-3 text-lg font-medium">{t("unfinished")}</h2>
      <Card className="p-2! sm:p-3!">
        <ul className="divide-y divide-line">
          {uploads.map((upload, index) => (
            <UnfinishedRow key={upload.uploadId} upload={upload} isLive={index < ROWS_LIVE} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

/** An upload's percent as its sender says it, from whatever device; its end takes it off the list. */
function useLivePercent({ downloadId, progress }: UnfinishedUpload, isLive: boolean): number {
  const queries = useQueryClient();
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    if (!isLive) return;
    const socket = new LiveSocket(downloadId, {
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
  const [confirming, setConfirming] = useState(false);
  const queries = useQueryClient();
  const running = useUpload();
  const isHere = running.mode === "sending" && running.link?.uploadId === upload.uploadId;
  // What was sent from here is over when it is no longer being sent: nobody is left to listen to.
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
  // One that is being discarded takes no new listener, so none is tried.
  const isHeard = isLive && !wasHere && (discard.isIdle || discard.isError);
  const livePercent = useLivePercent(upload, isHeard);
  const percent = Math.floor(isHere ? running.progress.percent : livePercent);

  const goOn = (file: File) => {
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
          if (file) goOn(file);
        }}
      />
      <Button
        look="danger"
        className="px-3!"
        aria-label={t("discardFile", { filename })}
        onClick={() => {
          setConfirming(true);
        }}
      >
        <Trash2 size={18} aria-hidden />
      </Button>
      {confirming && (
        <Dialog
          title={t("discardQuestion")}
          description={t("discardWarning", { filename })}
          onClose={() => {
            setConfirming(false);
          }}
        >
          <div className="grid grid-cols-2 gap-3">
            <Button
              look="quiet"
              onClick={() => {
                setConfirming(false);
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
