import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { DiscardButton } from "../discard-button.tsx";
import type { FailedView } from "../transfer/transfer-view.ts";
import { useComeIntoView } from "../transfer/use-come-into-view.ts";
import { messageFor } from "../upload-error-messages.ts";
import type { Sending } from "./sending.client.ts";

interface SendingFailedProps {
  sending: Sending;
  view: FailedView;
  onBack(): void;
  /** Deletes what has arrived. */
  onDiscard(): void;
}

/** What the server keeps, and how to go on. */
export function SendingFailed({ sending: { transfer }, view, onBack, onDiscard }: SendingFailedProps) {
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
