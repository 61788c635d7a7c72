import { Link, useNavigate } from "@remix-run/react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2, RotateCcw } from "lucide-react";
import { useEffect, useState, type ReactNode, useRef } from "react";
import { api, queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { senderLive } from "#app/lib/live.ts";
import { forgetKeys } from "#app/lib/sealing/forget-keys.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Question } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FileInput } from "#app/ui/file-input.tsx";
import { FileName } from "#app/ui/file-name.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { toast } from "#app/ui/toast.ts";
import { formatBytes } from "#domain/units.ts";
import { serverMessage, transferMessage, type UnfinishedUpload } from "#domain/wire.ts";
import { LiveSocket } from "#engine/live-socket.ts";
import { currentUpload, isOpen } from "./current-upload.ts";
import { itemsOfFiles } from "./dropped-items.ts";
import { useUpload } from "./use-upload-card.ts";

/** The percentage that the sending device reports. Reloads the list when the upload ends. */
function useLivePercent({ downloadId, progress, entries }: UnfinishedUpload, isLive: boolean): number {
  const queries = useQueryClient();
  const [percent, setPercent] = useState(0);
  const isTransfer = entries !== undefined;
  useEffect(() => {
    if (!isLive) return;
    const end = () => void queries.invalidateQueries({ queryKey: queryKeys.unfinished });
    const socket = isTransfer
      ? new LiveSocket(senderLive, downloadId, transferMessage, {
          onMessage: (message) => {
            if ("percent" in message) setPercent(message.percent);
            if (message.type === "upload_ended") end();
          },
        })
      : new LiveSocket(senderLive, downloadId, serverMessage, {
          onMessage: (message) => {
            if (message.type === "upload_progress") setPercent(message.progress);
            if (message.type === "upload_ended") end();
          },
        });
    return () => socket.close();
  }, [downloadId, isTransfer, isLive, queries]);
  return Math.max(percent, progress);
}

interface UnfinishedRowProps {
  upload: UnfinishedUpload;
  /** Whether the row opens a socket. */
  isLive: boolean;
  /** The percentage if this tab sends the upload; else null. */
  percentHere: number | null;
  describe(percent: number): string;
  /** The control that resumes the upload. */
  children: ReactNode;
}

/** An unfinished upload, with its progress and a way to discard it. */
export function UnfinishedRow({ upload, isLive, percentHere, describe, children }: UnfinishedRowProps) {
  const t = useMessages("files");
  const { filename } = upload;
  const [isConfirming, setIsConfirming] = useState(false);
  const queries = useQueryClient();
  const isHere = percentHere !== null;
  // An upload that ran in this tab has no sender now, so its socket would receive nothing.
  const [wasHere, setWasHere] = useState(isHere);
  if (isHere && !wasHere) setWasHere(true);
  const discard = useMutation({
    mutationFn: () => api.cancelUpload(upload.downloadId),
    onSuccess: () => {
      if (isHere) currentUpload.cancel();
      void forgetKeys(upload);
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
        icon={Trash2}
        look="danger"
        className="px-3!"
        aria-label={t("discardFile", { filename })}
        onClick={() => setIsConfirming(true)}
      />
      {isConfirming && (
        <Question
          title={t("discardQuestion")}
          text={t("discardWarning", { filename })}
          yes={t(discard.isPending ? "discarding" : "discard")}
          no={t("keepUpload")}
          isBusy={discard.isPending}
          onYes={() => discard.mutate()}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}

/** A row for an unfinished upload of a single file, which is resumed on this page. */
export function UnfinishedFile({ upload, isLive }: { upload: UnfinishedUpload; isLive: boolean }) {
  const t = useMessages("files");
  const { filename, seal, downloadId } = upload;
  const size = formatBytes(upload.size, t.locale);
  const picker = useRef<HTMLInputElement>(null);
  const currentState = useUpload();
  const isHere = currentState.mode === "sending" && currentState.link?.uploadId === upload.uploadId;

  const mayGoOn = useMayGoOn();
  const resume = (file: File) => {
    if (!mayGoOn()) return;
    // A manifest has a portable name, which may differ from the file's.
    if ((!seal && file.name.normalize("NFC") !== filename) || file.size !== upload.size) {
      toast({ title: t("otherFile"), description: t("otherFileHelp", { filename, size }), tone: "bad" });
      return;
    }
    const goesOn = seal && { sealed: true, goesOnWith: downloadId };
    const { expiration, expirationChosen, expiresAt } = upload;
    const options = { expiration, expirationChosen, ...(expiresAt && { expiresAt }), ...goesOn };
    currentUpload.start({ file, options, method: upload.transport === "chunks" ? "chunked" : "direct" });
  };

  return (
    <UnfinishedRow
      upload={upload}
      isLive={isLive}
      percentHere={isHere ? currentState.progress.percent : null}
      describe={(percent) => t(isHere ? "percentOfHere" : "percentOf", { percent, size })}
    >
      {!isHere && (
        <Button icon={RotateCcw} look="quiet" onClick={() => mayGoOn() && picker.current?.click()}>
          {t("resume")}
        </Button>
      )}
      <FileInput
        ref={picker}
        hidden
        label={t("chooseAgain", { filename })}
        onFiles={([file]) => file && resume(file)}
      />
    </UnfinishedRow>
  );
}

/** A row for an unfinished transfer, which is resumed in the home page's card. The card shows the differences. */
export function UnfinishedTransfer({ upload, isLive }: { upload: UnfinishedUpload; isLive: boolean }) {
  const t = useMessages("transferUpload");
  const navigate = useNavigate();
  const mayGoOn = useMayGoOn();
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const current = useUpload();
  const view = current.mode === "transfer" ? current.view : null;
  const isHere = view?.phase === "sending" && view.link?.uploadId === upload.uploadId;
  const { filename: name, entries: count = 0 } = upload;
  const size = formatBytes(upload.size, t.locale);
  const goOn = (chosen: File[]) => {
    if (!mayGoOn()) return;
    currentUpload.openTransfer({ items: itemsOfFiles(chosen), unfinished: upload });
    navigate("/");
  };
  return (
    <UnfinishedRow
      upload={upload}
      isLive={isLive}
      percentHere={isHere ? view.progress.percent : null}
      describe={(percent) => t(isHere ? "unfinishedHere" : "unfinishedOf", { count, percent, size })}
    >
      {isHere ? (
        <Link to="/" className={buttonClass("quiet")}>
          {t("showUpload")}
        </Link>
      ) : upload.fingerprint == null ? (
        <p className="text-sm text-muted">{t("goesOnElsewhere")}</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {/* Hidden on devices without a mouse, such as phones, where nobody can choose a folder. */}
          <Button
            icon={RotateCcw}
            look="quiet"
            className="hidden! any-pointer-fine:inline-flex!"
            onClick={() => mayGoOn() && folder.current?.click()}
          >
            {t("goOnFolder")}
          </Button>
          <Button look="quiet" onClick={() => mayGoOn() && files.current?.click()}>
            <RotateCcw size={18} aria-hidden className="any-pointer-fine:hidden" />
            {t("goOnFiles")}
          </Button>
        </div>
      )}
      <FileInput ref={folder} hidden isFolder label={t("goOnFolderOf", { name })} onFiles={goOn} />
      <FileInput ref={files} hidden multiple label={t("goOnFilesOf", { name })} onFiles={goOn} />
    </UnfinishedRow>
  );
}

/**
 * @returns a function that returns whether this tab can resume an upload, and shows a toast if another upload is open
 */
function useMayGoOn(): () => boolean {
  const t = useMessages("transferUpload");
  return () => {
    if (!isOpen(currentUpload.getState())) return true;
    toast({
      title: t("otherOpen"),
      description: t("otherOpenHelp"),
      tone: "bad",
      action: { label: t("showUpload"), to: "/" },
    });
    return false;
  };
}
