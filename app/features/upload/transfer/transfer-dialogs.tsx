import { ProtectionDialog } from "../protection-summary.tsx";
import { ShareDialog, type ShareDialogKind } from "../share-actions.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { WordsDialog } from "./edit-words.tsx";
import { RemovalDialog, type Removal } from "./sending-tree.tsx";
import { hasWords, type TransferView } from "./transfer-view.ts";

/** A dialog that stays open when the transfer becomes ready. */
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
    const { removal } = dialog;
    return <RemovalDialog group="transferUpload" {...{ transfer, removal, isFinished, onClose }} />;
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
