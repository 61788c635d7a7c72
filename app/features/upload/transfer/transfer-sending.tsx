import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { Button } from "#app/ui/button.tsx";
import { Question } from "#app/ui/dialog.tsx";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import { toast } from "#app/ui/toast.ts";
import { formatBytes, MIB } from "#domain/units.ts";
import { currentUpload } from "../current-upload.ts";
import type { DroppedItem } from "../dropped-items.ts";
import { SendingProgress } from "../sending.tsx";
import { LinkProtection } from "../link-protection.tsx";
import { ShareActions } from "../share-actions.tsx";
import { messageFor } from "../upload-error-messages.ts";
import type { Wording } from "../link-choice.ts";
import { AddArea, AddButtons } from "./add-files.tsx";
import { Notices, NameList } from "./choice-notices.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { EditWords, WordsFailed } from "./edit-words.tsx";
import { SendingProblems } from "./sending-problems.tsx";
import { SendingTree } from "./sending-tree.tsx";
import type { CardDialog } from "./transfer-dialogs.tsx";
import type { SendingView } from "./transfer-view.ts";
import { useComeIntoView } from "./use-come-into-view.ts";

/** A cancel that loses no more than this is not worth a question. */
const TRIFLE_BYTES = 8 * MIB;

interface TransferSendingProps {
  transfer: CurrentTransfer;
  view: SendingView;
  wording: Wording;
  onOpen(dialog: CardDialog): void;
}

export function TransferSending({ transfer, view, wording, onOpen }: TransferSendingProps) {
  const { words, link, progress, count, stored, resumedWith } = view;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const tGuards = useMessages("guards");
  const heading = useComeIntoView<HTMLHeadingElement>();
  const [asksToCancel, setAsksToCancel] = useState(false);
  const cancel = () => {
    currentUpload.cancel();
    toast({ title: tUploads("uploadAborted"), description: t("aborted", { title: words.title }) });
  };
  const sent = formatBytes(progress.loadedBytes, t.locale);
  const size = formatBytes(progress.totalBytes, t.locale);
  const isAllSent = view.entries.count("waiting") + view.entries.count("sending") === 0;
  const waitsForPerson = isAllSent && view.problems.length > 0;

  const add = async (items: DroppedItem[]) => {
    try {
      const { added, alreadyThere } = await transfer.add(items);
      if (added > 0) toast({ title: t("added", { count: added }) });
      else if (alreadyThere > 0) toast({ title: t("alreadyThere", { count: alreadyThere }) });
    } catch (error) {
      if (currentUpload.getState().mode !== "transfer") return;
      const text = messageFor(error, tUploads, messageOf(error, tUploads("transferError")));
      toast({ title: t("addFailed"), description: text, tone: "bad" });
    }
  };

  return (
    <AddArea onItems={(items) => void add(items)}>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 pt-2.5">
          <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 font-medium break-words outline-none">
            {words.title}
          </h2>
          {words.message !== "" && (
            <p className="mt-1 line-clamp-3 text-sm break-words whitespace-pre-line text-muted">{words.message}</p>
          )}
        </div>
        {link && <EditWords onOpen={() => onOpen({ kind: "words" })} />}
      </div>
      {view.wordsFailed && <WordsFailed />}
      <SendingProgress
        progress={progress}
        finishing={view.finishing && view.problems.length === 0}
        waitsFor={waitsForPerson ? t("waitsForYou") : undefined}
      >
        <p className="text-sm text-muted tabular-nums">{t("bytesAndFiles", { sent, size, stored, count })}</p>
        {resumedWith !== null && resumedWith > 0 && (
          <p className="text-sm font-medium text-reed">{t("goingOn", { stored: resumedWith, count })}</p>
        )}
      </SendingProgress>
      {view.newPaths.length > 0 && (
        <div className="text-sm text-muted">
          <p>{t("addedToUnfinished", { count: view.newPaths.length })}</p>
          <NameList names={view.newPaths} />
        </div>
      )}
      <Notices notices={view.notices} isFinished={false} />
      <SendingProblems transfer={transfer} problems={view.problems} />
      {link && (
        <div className="grid gap-3">
          <p className="text-sm text-muted">{link.guards?.password ? tGuards("linkWorks") : t("linkWorks")}</p>
          <ShareLink url={link.shareUrl} label={tUploads(wording.shareLink)} />
          <div className="mt-2">
            <ShareActions
              file={{ id: link.uploadId, filename: words.title, shareUrl: link.shareUrl }}
              isFinished={false}
              onOpen={(kind) => onOpen({ kind })}
            />
          </div>
          <LinkProtection known={link} onOpen={() => onOpen({ kind: "guards" })} />
        </div>
      )}
      <SendingTree transfer={transfer} view={view} onAsk={(removal) => onOpen({ kind: "remove", removal })} />
      <AddButtons onItems={(items) => void add(items)} />
      <Button
        look="quiet"
        onClick={() => {
          if (progress.loadedBytes > TRIFLE_BYTES) setAsksToCancel(true);
          else cancel();
        }}
      >
        {tUploads(wording.cancel)}
      </Button>
      {asksToCancel && (
        <Question
          title={t("cancelQuestion")}
          text={t("cancelWarning", { size: sent })}
          yes={t("cancelIt")}
          no={t("goOn")}
          isBusy={false}
          onYes={cancel}
          onClose={() => setAsksToCancel(false)}
        />
      )}
    </AddArea>
  );
}
