import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { currentUpload } from "../current-upload.ts";
import { DiscardButton } from "../discard-button.tsx";
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
  const isSignedIn = useCurrentUser() !== null;
  useAskToSignIn(error, () => void transfer.retry());
  return (
    <div className="grid gap-4 rounded-2xl border border-danger bg-sunken p-4">
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 font-medium break-words outline-none">
        {t("failedTitle", { title: words.title })}
      </h2>
      <p className="text-sm">
        {messageFor(error, tUploads, tUploads("transferError"))} {isPlanLimit(error) && <SeePlans />}
      </p>
      {stored !== null && (
        <p className="text-sm">
          {t("kept", { stored, count })} {isSignedIn && t("goOnLater")}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void transfer.retry()}>{t("tryAgain")}</Button>
        {(stored === null || isSignedIn) && (
          <Button
            look="quiet"
            onClick={() => {
              currentUpload.reset();
            }}
          >
            {tUploads("back")}
          </Button>
        )}
        {stored !== null && (
          <DiscardButton
            group="transferUpload"
            title={words.title}
            onDiscard={() => {
              currentUpload.cancel();
            }}
          />
        )}
      </div>
    </div>
  );
}
