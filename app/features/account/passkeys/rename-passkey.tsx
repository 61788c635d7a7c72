import { securityApi } from "#app/features/account/security-api.ts";
import { useAccountForm } from "#app/features/account/use-account-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { changePasskeyRequest, type ListedPasskey } from "#domain/wire.ts";

interface RenamePasskeyProps {
  passkey: ListedPasskey;
  onSaved(): Promise<void>;
  onClose(): void;
}

export function RenamePasskey({ passkey, onSaved, onClose }: RenamePasskeyProps) {
  const t = useMessages("security");
  const { errors, busy, onSubmit } = useAccountForm(changePasskeyRequest, {
    onError: errorToast(t("renamePasskeyFailed"), t("passkeyTryAgain")),
    send: async ({ name }) => {
      await securityApi.changePasskey(passkey.id, name);
      await onSaved();
    },
  });
  return (
    <Dialog title={t("renamePasskeyTitle")} description={t("renamePasskeyHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("passkeyName")}
          name="name"
          autoComplete="off"
          defaultValue={passkey.name}
          error={errors.name}
        />
        <Button type="submit" busy={busy}>
          {t(busy ? "working" : "savePasskey")}
        </Button>
      </form>
    </Dialog>
  );
}
