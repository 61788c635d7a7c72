import { useState } from "react";
import { securityApi, useWaysIn } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useLeave } from "#app/lib/session.ts";
import { useForm } from "#app/lib/use-form.ts";
import { useAtWork } from "#app/lib/confirming.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { deleteAccountForm, deleteAccountRequest } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function DeleteAccount() {
  const t = useMessages("account");
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("deleteYourAccount")}</h2>
      <p className="mt-1 mb-4 text-muted">{t("deleteHelp")}</p>
      <Button look="danger" onClick={() => setIsConfirming(true)}>
        {t("deleteAccount")}
      </Button>
      {isConfirming && <ConfirmDeletion onClose={() => setIsConfirming(false)} />}
    </Card>
  );
}

function ConfirmDeletion({ onClose }: { onClose(): void }) {
  const t = useMessages("account");
  const leave = useLeave();
  // Without the answer it asks: most accounts have a password.
  const hasPassword = useWaysIn().data?.hasPassword !== false;
  const { errors, busy, onSubmit } = useForm(hasPassword ? deleteAccountForm : deleteAccountRequest, {
    onError: errorToast(t("deleteFailed"), t("deleteFailedHelp")),
    send: async ({ password }) => {
      await securityApi.deleteAccount(password === undefined ? {} : { password });
      toast({ title: t("accountDeleted"), description: t("accountDeletedHelp") });
      leave();
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Dialog title={t("deleteQuestion")} description={t("deleteWarning")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        {hasPassword && (
          <FormField
            label={t("yourPassword")}
            name="password"
            type="password"
            autoComplete="current-password"
            error={errors.password}
          />
        )}
        <div className="grid grid-cols-2 gap-3">
          <Button look="quiet" onClick={onClose}>
            {t("keepIt")}
          </Button>
          <Button type="submit" look="danger" busy={isAtWork}>
            {t(isAtWork ? "deleting" : "deleteForGood")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
