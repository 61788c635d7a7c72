import { useState } from "react";
import { useWaysIn } from "#app/features/account/security-api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useLeave } from "#app/lib/session.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { deleteAccountForm, deleteAccountRequest } from "#domain/wire.ts";

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
  // The form asks for the password until `useWaysIn` is loaded, because most accounts have a password.
  const hasPassword = useWaysIn().data?.hasPassword !== false;
  const { field, ...form } = useForm(hasPassword ? deleteAccountForm : deleteAccountRequest, {
    onError: errorToast(t("deleteFailed"), t("deleteFailedHelp")),
    send: async ({ password }) => {
      await callConfirmed("DELETE /api/auth/account", { body: password === undefined ? {} : { password } });
      toast({ title: t("accountDeleted"), description: t("accountDeletedHelp") });
      leave();
    },
  });
  return (
    <FormDialog
      title={t("deleteQuestion")}
      description={t("deleteWarning")}
      button={[t("deleteForGood"), t("deleting")]}
      look="danger"
      no={t("keepIt")}
      onClose={onClose}
      {...form}
    >
      {hasPassword && (
        <FormField label={t("yourPassword")} type="password" autoComplete="current-password" {...field("password")} />
      )}
    </FormDialog>
  );
}
