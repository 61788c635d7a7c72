import { adminApi } from "#app/features/admin/admin-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useConfirmQuestion } from "#app/lib/use-confirm-question.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { ShowFactor } from "./show-factor.tsx";

/** Asks for a confirmation when a call needs one (app/lib/confirming.ts). Once on the page of the back office. */
export function AdminConfirmHost() {
  const t = useMessages("adminFactor");
  const question = useConfirmQuestion();
  if (!question) return null;
  const { methods, close } = question;
  return (
    <Dialog
      title={t("confirmTitle")}
      description={t("confirmHelp")}
      onClose={() => {
        close(false);
      }}
    >
      <ShowFactor
        methods={methods}
        purpose="confirm"
        go={t("confirm")}
        send={adminApi.confirm}
        onDone={() => {
          close(true);
        }}
      />
    </Dialog>
  );
}
