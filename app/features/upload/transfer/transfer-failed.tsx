import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { currentUpload } from "../current-upload.ts";
import { isPlanLimit, messageFor } from "../upload-error-messages.ts";
import type { CurrentTransfer } from "./current-transfer.ts";
import { SeePlans } from "./list-notices.tsx";
import type { FailedView } from "./transfer-view.ts";
import { useAskToSignIn } from "./use-ask-to-sign-in.ts";
import { useComeIntoView } from "./use-come-into-view.ts";

/** What the server keeps, and how to go on. */
export function TransferFailed({ transfer, view }: { transfer: CurrentTransfer; view: FailedView }) {
  const { words, error, stored, count } = view;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const heading = useComeIntoView<HTMLHeadingElement>();
  useAskToSignIn(error, () => void transfer.retry());
  return (
    <div className="grid gap-4 rounded-2xl border border-danger bg-sunken p-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 font-medium break-words outline-none">
        {t("failedTitle", { title: words.title })}
      </h2>
      <p className="text-sm">
        {messageFor(error, tUploads, tUploads("uploadError"))} {isPlanLimit(error) && <SeePlans />}
      </p>
      {stored !== null && <p className="text-sm">{t("kept", { stored, count })}</p>}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void transfer.retry()}>{t("tryAgain")}</Button>
        <Button
          look="quiet"
          onClick={() => {
            // Nobody asked to discard a transfer that did not even go on.
            if (stored === null) currentUpload.reset();
            else currentUpload.cancel();
          }}
        >
          {stored === null ? tUploads("back") : t("discard")}
        </Button>
      </div>
    </div>
  );
}
