import { useState } from "react";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Question } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import { SendingProgress } from "../sending.tsx";
import { AddArea, AddButtons } from "../transfer/add-files.tsx";
import { Notices, NameList } from "../transfer/choice-notices.tsx";
import type { DroppedItem } from "../dropped-items.ts";
import { SendingProblems, useLeaveOut } from "../transfer/sending-problems.tsx";
import { SendingTree } from "../transfer/sending-tree.tsx";
import type { Removal } from "../transfer/transfer-dialogs.tsx";
import type { SendingView } from "../transfer/transfer-view.ts";
import { useComeIntoView } from "../transfer/use-come-into-view.ts";
import { messageFor } from "../upload-error-messages.ts";
import type { Sending } from "./sending.client.ts";

/** A cancel that loses no more than this is not worth a question. */
const TRIFLE_BYTES = 8 * MIB;

interface SendingNowProps {
  sending: Sending;
  view: SendingView;
  onCancel(): void;
}

export function SendingNow({ sending: { transfer }, view, onCancel }: SendingNowProps) {
  const { words, progress, count, stored, resumedWith, newPaths, problems } = view;
  const t = useMessages("requestPage");
  const tTransfer = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const heading = useComeIntoView<HTMLHeadingElement>();
  const [asks, setAsks] = useState<"cancel" | Removal | null>(null);
  const leaveOut = useLeaveOut(transfer);
  const close = () => setAsks(null);
  const sent = formatBytes(progress.loadedBytes, t.locale);
  const size = formatBytes(progress.totalBytes, t.locale);
  const isAllSent = view.entries.count("waiting") + view.entries.count("sending") === 0;
  const waitsForPerson = isAllSent && problems.length > 0;
  const add = async (items: DroppedItem[]) => {
    try {
      const { added, alreadyThere } = await transfer.add(items);
      if (added > 0) toast({ title: tTransfer("added", { count: added }) });
      else if (alreadyThere > 0) toast({ title: tTransfer("alreadyThere", { count: alreadyThere }) });
    } catch (error) {
      const text = messageFor(error, tUploads, messageOf(error, tUploads("transferError")));
      toast({ title: tTransfer("addFailed"), description: text, tone: "bad" });
    }
  };
  return (
    <AddArea onItems={(items) => void add(items)}>
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 font-medium break-words outline-none">
        {words.title}
      </h2>
      <SendingProgress
        progress={progress}
        finishing={view.finishing && problems.length === 0}
        waitsFor={waitsForPerson ? tTransfer("waitsForYou") : undefined}
      >
        <p className="text-sm text-muted tabular-nums">{tTransfer("bytesAndFiles", { sent, size, stored, count })}</p>
        {resumedWith !== null && resumedWith > 0 && (
          <p className="text-sm font-medium text-reed">{tTransfer("goingOn", { stored: resumedWith, count })}</p>
        )}
      </SendingProgress>
      <p className="text-sm text-muted">{t("keepOpen")}</p>
      {newPaths.length > 0 && (
        <div className="text-sm text-muted">
          <p>{tTransfer("addedToUnfinished", { count: newPaths.length })}</p>
          <NameList names={newPaths} />
        </div>
      )}
      <Notices notices={view.notices} isFinished={false} />
      <SendingProblems transfer={transfer} problems={problems} />
      <SendingTree transfer={transfer} view={view} onAsk={setAsks} />
      <AddButtons onItems={(items) => void add(items)} />
      <Button
        look="quiet"
        onClick={() => {
          if (progress.loadedBytes > TRIFLE_BYTES) setAsks("cancel");
          else onCancel();
        }}
      >
        {t("cancel")}
      </Button>
      {asks === "cancel" && (
        <Question
          title={t("cancelQuestion")}
          text={t("cancelWarning", { size: sent })}
          yes={t("cancelIt")}
          no={t("goOn")}
          isBusy={false}
          onYes={onCancel}
          onClose={close}
        />
      )}
      {asks !== null && asks !== "cancel" && (
        <Question
          title={tTransfer(asks.isFolder ? "removeFolderQuestion" : "removeQuestion")}
          text={
            asks.isFolder
              ? t("removeFolderWarning", { name: asks.name, count: asks.stored })
              : t("removeWarning", { name: asks.name })
          }
          yes={tTransfer("removeIt")}
          no={tTransfer("keepIt")}
          isBusy={false}
          focusAfter={asks.nextRow}
          onYes={() => {
            close();
            leaveOut(asks.numbers);
          }}
          onClose={close}
        />
      )}
    </AddArea>
  );
}
