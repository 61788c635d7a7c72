import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.ts";
import type { SeenUploadRequest, SenderFields } from "#domain/wire.ts";
import { DiscardButton } from "../discard-button.tsx";
import { Announcement, SendingStep } from "../transfer/sending-step.tsx";
import { RemovalDialog, type Removal } from "../transfer/sending-tree.tsx";
import { StepHeading } from "../transfer/step-heading.tsx";
import type { FailedView, SendingView, TransferView } from "../transfer/transfer-view.ts";
import { messageFor } from "../upload-error-messages.ts";
import { Waiting } from "../waiting.tsx";
import { Receipt } from "./receipt.tsx";
import { SendingList } from "./sending-list.tsx";
import type { RequestUpload } from "./sending.client.ts";

interface SendingStepsProps {
  sending: RequestUpload;
  view: TransferView;
  request: SeenUploadRequest;
  /** The name, address and note that the sender gives. */
  fields: SenderFields;
  onFields(fields: SenderFields): void;
  /** Goes back to the choice of files. */
  onBack(): void;
  /** Called to send more, after everything has arrived. */
  onAgain(): void;
}

/** The steps after the choice of files. */
export default function SendingSteps(props: SendingStepsProps) {
  const t = useMessages("requestPage");
  return (
    <>
      <Announcement view={props.view} done={t("arrived")} />
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

/** Says that none of the chosen files belongs to the unfinished upload. */
function OtherFiles({ title, onBack }: { title: string; onBack(): void }) {
  const t = useMessages("requestPage");
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <StepHeading className="text-lg">{t("otherFiles")}</StepHeading>
      <p className="break-words text-muted">{t("otherFilesHelp", { title })}</p>
      <Button look="quiet" onClick={onBack}>
        {t("chooseAgain")}
      </Button>
    </div>
  );
}

interface SendingNowProps {
  sending: RequestUpload;
  view: SendingView;
  onCancel(): void;
}

function SendingNow({ sending: { transfer }, view, onCancel }: SendingNowProps) {
  const t = useMessages("requestPage");
  const [removal, setRemoval] = useState<Removal | null>(null);
  return (
    <>
      <SendingStep
        group="requestPage"
        transfer={transfer}
        view={view}
        heading={<StepHeading className="break-words">{view.words.title}</StepHeading>}
        hint={<p className="text-sm text-muted">{t("keepOpen")}</p>}
        cancel={t("cancel")}
        onAsk={setRemoval}
        onCancel={onCancel}
      />
      {removal && (
        <RemovalDialog group="requestPage" transfer={transfer} removal={removal} onClose={() => setRemoval(null)} />
      )}
    </>
  );
}

interface SendingFailedProps {
  sending: RequestUpload;
  view: FailedView;
  onBack(): void;
  /** Deletes the stored files. */
  onDiscard(): void;
}

/** Says what the server keeps after a failure, and offers to resume. */
function SendingFailed({ sending: { transfer }, view, onBack, onDiscard }: SendingFailedProps) {
  const { words, error, stored, count } = view;
  const t = useMessages("requestPage");
  const tUploads = useMessages("uploads");
  return (
    <div className="grid gap-4">
      <StepHeading className="text-lg">{t("failed")}</StepHeading>
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
