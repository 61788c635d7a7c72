import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import { ProtectionDialog } from "../link-protection.tsx";
import { ShareDialog, type ShareDialogKind } from "../share-actions.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { useLeaveOut } from "./sending-problems.tsx";
import { hasWords, type TransferView } from "./transfer-view.ts";
import { WordsDialog } from "./edit-words.tsx";

/** Files that the person is about to remove. */
export interface Removal {
  /** Of the file or folder. */
  name: string;
  numbers: number[];
  isFolder: boolean;
  /** How many have been sent. */
  stored: number;
  /** What takes the place of the removed row; null when the tree is gone. */
  nextRow(): HTMLElement | null;
}

/** A dialog that stays open when the transfer gets ready meanwhile. */
export type CardDialog = { kind: "words" | "guards" | ShareDialogKind } | { kind: "remove"; removal: Removal };

interface TransferDialogsProps {
  transfer: CurrentTransfer;
  view: TransferView;
  dialog: CardDialog;
  onClose(): void;
}

/** Whether a dialog makes sense in a view. */
export function isAbout({ kind }: CardDialog, view: TransferView | null): boolean {
  if (view?.phase === "failed") return kind === "words" || kind === "guards";
  return view?.phase === "sending" || view?.phase === "done";
}

export function TransferDialogs({ transfer, view, dialog, onClose }: TransferDialogsProps) {
  if (!hasWords(view)) return null;
  const { words } = view;
  if (dialog.kind === "words") {
    return <WordsDialog transfer={transfer} words={words} onClose={onClose} />;
  }
  if (dialog.kind === "remove") {
    const isFinished = view.phase === "done";
    return <RemovalDialog transfer={transfer} removal={dialog.removal} isFinished={isFinished} onClose={onClose} />;
  }
  const { link } = view;
  if (!link) return null;
  if (dialog.kind === "guards") {
    return (
      <ProtectionDialog
        id={link.uploadId}
        name={words.title}
        known={link}
        onChange={(known) => transfer.setGuards(known)}
        onClose={onClose}
      />
    );
  }
  const file = { id: link.uploadId, filename: words.title, shareUrl: link.shareUrl, guards: link.guards };
  return <ShareDialog kind={dialog.kind} file={file} onClose={onClose} />;
}

interface RemovalDialogProps {
  transfer: CurrentTransfer;
  removal: Removal;
  /** Whether the transfer has got ready. */
  isFinished: boolean;
  onClose(): void;
}

function RemovalDialog({ transfer, removal, isFinished, onClose }: RemovalDialogProps) {
  const t = useMessages("transferUpload");
  const leaveOut = useLeaveOut(transfer);
  const { name, numbers, isFolder, stored } = removal;
  const reportFailure = errorToast(t("removeFailed"), t("wordsFailedHelp"));
  const [isRemoving, setIsRemoving] = useState(false);
  const removeFinished = async () => {
    setIsRemoving(true);
    try {
      if (!(await transfer.removeFinished(numbers))) toast({ title: t("lastFinishedFile"), tone: "bad" });
      onClose();
    } catch (error) {
      reportFailure(error);
      setIsRemoving(false);
    }
  };
  return (
    <Question
      title={t(isFolder ? "removeFolderQuestion" : "removeQuestion")}
      text={isFolder ? t("removeFolderWarning", { name, count: stored }) : t("removeWarning", { name })}
      yes={t("removeIt")}
      no={t("keepIt")}
      isBusy={isRemoving}
      onYes={() => {
        if (isFinished) void removeFinished();
        else {
          onClose();
          leaveOut(numbers);
        }
      }}
      onClose={onClose}
    />
  );
}
