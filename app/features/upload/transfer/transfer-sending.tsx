import { useMessages } from "#app/lib/i18n/messages.ts";
import { ShareLink } from "#app/ui/sharing/share-link.tsx";
import { toast } from "#app/ui/toast.ts";
import { currentUpload } from "../current-upload.ts";
import type { Wording } from "../link-choice.ts";
import { ProtectionSummary } from "../protection-summary.tsx";
import { SendingDownloads } from "../sending-downloads.tsx";
import { ShareActions } from "../share-actions.tsx";
import type { CurrentTransfer } from "./current-transfer.ts";
import { EditWords, WordsFailed } from "./edit-words.tsx";
import { SendingStep } from "./sending-step.tsx";
import { StepHeading } from "./step-heading.tsx";
import type { CardDialog } from "./transfer-dialogs.tsx";
import type { SendingView } from "./transfer-view.ts";

interface TransferSendingProps {
  transfer: CurrentTransfer;
  view: SendingView;
  wording: Wording;
  onOpen(dialog: CardDialog): void;
}

export function TransferSending({ transfer, view, wording, onOpen }: TransferSendingProps) {
  const { words, link } = view;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const tGuards = useMessages("guards");
  const heading = (
    <>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 pt-2.5">
          <StepHeading className="break-words">{words.title}</StepHeading>
          {words.message !== "" && (
            <p className="mt-1 line-clamp-3 text-sm break-words whitespace-pre-line text-muted">{words.message}</p>
          )}
        </div>
        {link && <EditWords onOpen={() => onOpen({ kind: "words" })} />}
      </div>
      {view.wordsFailed && <WordsFailed />}
    </>
  );
  return (
    <SendingStep
      group="transferUpload"
      transfer={transfer}
      view={view}
      heading={heading}
      cancel={tUploads(wording.cancel)}
      onAsk={(removal) => onOpen({ kind: "remove", removal })}
      onCancel={() => {
        currentUpload.cancel();
        toast({ title: tUploads("uploadAborted"), description: t("aborted", { title: words.title }) });
      }}
    >
      {link && (
        <div className="grid gap-3">
          <p className="text-sm text-muted">{link.guards?.password ? tGuards("linkWorks") : t("linkWorks")}</p>
          <ShareLink url={link.shareUrl} label={tUploads(wording.shareLink)} />
          <SendingDownloads uploadId={link.uploadId} sizeBytes={view.progress.totalBytes} />
          <div className="mt-2">
            <ShareActions
              file={{ id: link.uploadId, filename: words.title, shareUrl: link.shareUrl }}
              isFinished={false}
              onOpen={(kind) => onOpen({ kind })}
            />
          </div>
          <ProtectionSummary known={link} onOpen={() => onOpen({ kind: "guards" })} />
        </div>
      )}
    </SendingStep>
  );
}
