import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import type { SeenUploadRequest, SenderFields } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import type { TransferView, FailedView } from "../transfer/transfer-view.ts";
import { useComeIntoView } from "../transfer/use-come-into-view.ts";
import { Waiting } from "../waiting.tsx";
import { Receipt } from "./receipt.tsx";
import { SendingList } from "./sending-list.tsx";
import { SendingNow } from "./sending-now.tsx";
import type { Sending } from "./sending.client.ts";
import { DiscardButton } from "../discard-button.tsx";
import { messageFor } from "../upload-error-messages.ts";

interface SendingStepsProps {
  sending: Sending;
  view: TransferView;
  request: SeenUploadRequest;
  /** What the sender says of themselves. */
  fields: SenderFields;
  onFields(fields: SenderFields): void;
  /** To the choice of files. */
  onBack(): void;
  /** After everything has arrived. */
  onAgain(): void;
}

/** After the choice of files. */
export default function SendingSteps(props: SendingStepsProps) {
  const t = useMessages("requestPage");
  const tTransfer = useMessages("transferUpload");
  return (
    <>
      <p role="status" className="sr-only">
        {announcement(props.view, t, tTransfer)}
      </p>
      <Step {...props} />
    </>
  );
}

function Step({ sending, view, onAgain, ...others }: SendingStepsProps) {
  const { fields, onBack } = others;
  const t = useMessages("requestPage");
  const tTransfer = useMessages("transferUpload");
  const cancel = () => {
    sending.transfer.cancel();
    toast({ title: t("cancelled"), description: t("cancelledHelp") });
    onBack();
  };
  switch (view.phase) {
    case "reading":
      return <Waiting text={tTransfer("reading")} onBack={onBack} />;
    case "list":
      return <SendingList sending={sending} view={view} {...others} />;
    case "sending":
      return <SendingNow sending={sending} view={view} onCancel={cancel} />;
    case "failed":
      return <SendingFailed sending={sending} view={view} onBack={onBack} onDiscard={cancel} />;
    case "other-files":
      return <OtherFiles title={view.unfinished.filename} onBack={onBack} />;
    case "done":
      return <Receipt sending={sending} view={view} email={fields.senderEmail ?? ""} onAgain={onAgain} />;
  }
}

/** Nothing of what was chosen belongs to the unfinished upload. */
function OtherFiles({ title, onBack }: { title: string; onBack(): void }) {
  const t = useMessages("requestPage");
  const heading = useComeIntoView<HTMLHeadingElement>();
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <h2 ref={heading} tabIndex={-1} className="text-lg font-medium outline-none">
        {t("otherFiles")}
      </h2>
      <p className="break-words text-muted">{t("otherFilesHelp", { title })}</p>
      <Button look="quiet" onClick={onBack}>
        {t("chooseAgain")}
      </Button>
    </div>
  );
}

/** What a screen reader hears: it changes with each tenth of the progress. */
function announcement(view: TransferView, t: Translate<"requestPage">, tTransfer: Translate<"transferUpload">): string {
  if (view.phase === "done") return t("arrived");
  if (view.phase === "failed") return tTransfer("saysFailed");
  if (view.phase !== "sending" || view.link === null) return "";
  if (view.problems.length > 0) return tTransfer("saysProblems", { count: view.problems.length });
  const tenths = Math.floor(view.progress.percent / 10);
  return tenths === 0 ? tTransfer("saysStarted") : tTransfer("saysPercent", { percent: 10 * tenths });
}

interface SendingFailedProps {
  sending: Sending;
  view: FailedView;
  onBack(): void;
  /** Deletes what has arrived. */
  onDiscard(): void;
}

/** What the server keeps, and how to go on. */
function SendingFailed({ sending: { transfer }, view, onBack, onDiscard }: SendingFailedProps) {
  const { words, error, stored, count } = view;
  const t = useMessages("requestPage");
  const tUploads = useMessages("uploads");
  const heading = useComeIntoView<HTMLHeadingElement>();
  return (
    <div className="grid gap-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-medium outline-none">
        {t("failed")}
      </h2>
      <p role="alert" className="rounded-2xl border border-danger bg-sunken p-4 text-sm">
        {messageFor(error, tUploads, tUploads("transferError"))}
      </p>
      {stored !== null && <p className="text-sm text-muted">{t("kept", { stored, count })}</p>}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void transfer.retry()}>{t("tryAgain")}</Button>
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        {stored !== null && <DiscardButton group="requestPage" title={words.title} onDiscard={onDiscard} />}
      </div>
    </div>
  );
}
