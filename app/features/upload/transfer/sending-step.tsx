import { useState, type ReactNode } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Question } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import type { DroppedItem } from "../dropped-items.ts";
import { SendingProgress } from "../sending.tsx";
import { messageFor } from "../upload-error-messages.ts";
import { AddArea, AddButtons } from "./add-files.tsx";
import { NameList, ChoiceNoticeList } from "./choice-notices.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { SendingProblems } from "./sending-problems.tsx";
import { type Removal, SendingTree } from "./sending-tree.tsx";
import type { SendingView, TransferView } from "./transfer-view.ts";

/** A cancel that loses at most this many bytes asks no question. */
const TRIFLE_BYTES = 8 * MIB;

interface SendingStepProps {
  transfer: CurrentTransfer;
  view: SendingView;
  /** The group of the step's messages: "requestPage" for a sender into an upload request, who never gets a link. */
  group: "requestPage" | "transferUpload";
  heading: ReactNode;
  /** Shown below the progress. */
  hint?: ReactNode;
  /** Shown above the files. */
  children?: ReactNode;
  /** The text of the button that cancels the transfer. */
  cancel: string;
  /** Called before sent files are removed, to ask the person. */
  onAsk(removal: Removal): void;
  onCancel(): void;
}

/** The step of a transfer that is being sent: progress, files, and buttons to add files and to cancel. */
export function SendingStep(props: SendingStepProps) {
  const { transfer, view, group, heading, hint, children, cancel, onAsk, onCancel } = props;
  const { progress, count, stored, resumedWith, newPaths, problems } = view;
  const t = useMessages("transferUpload");
  const tCancel = useMessages(group);
  const [asksToCancel, setAsksToCancel] = useState(false);
  const add = useAddFiles(transfer);
  const sent = formatBytes(progress.loadedBytes, t.locale);
  const size = formatBytes(progress.totalBytes, t.locale);
  const isAllSent = view.entries.count("waiting") + view.entries.count("sending") === 0;
  return (
    <AddArea onItems={add}>
      {heading}
      <SendingProgress
        progress={progress}
        finishing={view.finishing && problems.length === 0}
        waitsFor={isAllSent && problems.length > 0 ? t("waitsForYou") : undefined}
      >
        <p className="text-sm text-muted tabular-nums">{t("bytesAndFiles", { sent, size, stored, count })}</p>
        {resumedWith !== null && resumedWith > 0 && (
          <p className="text-sm font-medium text-reed">{t("goingOn", { stored: resumedWith, count })}</p>
        )}
      </SendingProgress>
      {hint}
      {newPaths.length > 0 && (
        <div className="text-sm text-muted">
          <p>{t("addedToUnfinished", { count: newPaths.length })}</p>
          <NameList names={newPaths} />
        </div>
      )}
      <ChoiceNoticeList notices={view.notices} isFinished={false} />
      <SendingProblems transfer={transfer} problems={problems} />
      {children}
      <SendingTree transfer={transfer} view={view} onAsk={onAsk} />
      <AddButtons onItems={add} />
      <Button
        look="quiet"
        onClick={() => {
          if (progress.loadedBytes > TRIFLE_BYTES) setAsksToCancel(true);
          else onCancel();
        }}
      >
        {cancel}
      </Button>
      {asksToCancel && (
        <Question
          title={tCancel("cancelQuestion")}
          text={tCancel("cancelWarning", { size: sent })}
          yes={tCancel("cancelIt")}
          no={tCancel("goOn")}
          isBusy={false}
          onYes={onCancel}
          onClose={() => setAsksToCancel(false)}
        />
      )}
    </AddArea>
  );
}

/** Adds files to the running transfer, and reports the result unless the person has left the transfer. */
function useAddFiles(transfer: CurrentTransfer): (items: DroppedItem[]) => void {
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const add = async (items: DroppedItem[]) => {
    try {
      const { added, alreadyThere } = await transfer.add(items);
      if (added > 0) toast({ title: t("added", { count: added }) });
      else if (alreadyThere > 0) toast({ title: t("alreadyThere", { count: alreadyThere }) });
    } catch (error) {
      if (transfer.isLeft) return;
      const text = messageFor(error, tUploads, messageOf(error, tUploads("transferError")));
      toast({ title: t("addFailed"), description: text, tone: "bad" });
    }
  };
  return (items) => void add(items);
}

interface AnnouncementProps {
  view: TransferView | null;
  /** The announcement at the end. */
  done: string;
}

/** The announcement of a transfer to screen readers. Its text changes with each tenth of the progress. */
export function Announcement({ view, done }: AnnouncementProps) {
  const t = useMessages("transferUpload");
  const announce = () => {
    if (view?.phase === "done") return done;
    if (view?.phase === "failed") return t("saysFailed");
    if (view?.phase !== "sending" || view.link === null) return "";
    if (view.problems.length > 0) return t("saysProblems", { count: view.problems.length });
    const tenths = Math.floor(view.progress.percent / 10);
    return tenths === 0 ? t("saysStarted") : t("saysPercent", { percent: 10 * tenths });
  };
  return (
    <p role="status" className="sr-only">
      {announce()}
    </p>
  );
}
