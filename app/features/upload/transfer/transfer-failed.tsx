import { useEffect } from "react";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { currentUpload } from "../current-upload.ts";
import { isPlanLimit, messageFor, requiresAuth } from "../upload-error-messages.ts";
import type { CurrentTransfer } from "./current-transfer.ts";
import { SeePlans } from "./list-notices.tsx";
import type { FailedView } from "./transfer-view.ts";

const askedToSignIn = new WeakSet<FailedView>();

/** What the server keeps, and how to go on. */
export function TransferFailed({ transfer, view }: { transfer: CurrentTransfer; view: FailedView }) {
  const { words, error, stored, count } = view;
  const t = useMessages("transferUpload");
  const tUploads = useMessages("uploads");
  const openAuth = useAuthDialog();
  useEffect(() => {
    if (!requiresAuth(error) || askedToSignIn.has(view)) return;
    askedToSignIn.add(view);
    openAuth({ tab: "login", reason: tUploads("uploadFailed"), onSuccess: () => void transfer.retry() });
  }, [error, view, openAuth, tUploads, transfer]);
  return (
    <div className="grid gap-4 rounded-2xl border border-danger bg-sunken p-4">
      <h2 className="font-medium break-words">{t("failedTitle", { title: words.title })}</h2>
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
