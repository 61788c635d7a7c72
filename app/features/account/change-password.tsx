import { securityApi, useRefreshSecurity, useWaysIn } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { useAtWork } from "#app/lib/confirming.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { changePasswordForm, newPasswordForm } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";

/** Or the first one, where the account has none. */
export function ChangePassword() {
  const { data } = useWaysIn();
  return data?.hasPassword === false ? <FirstPassword /> : <ReplacePassword />;
}

function FirstPassword() {
  const t = useMessages("account");
  const tSecurity = useMessages("security");
  const refresh = useRefreshSecurity();
  const { errors, busy, onSubmit } = useForm(newPasswordForm, {
    onError: errorToast(t("updateFailed"), t("passwordFailedHelp")),
    send: async ({ newPassword }) => {
      await securityApi.changePassword({ newPassword });
      await refresh();
      toast({ title: tSecurity("passwordSet"), description: t("passwordChangedHelp") });
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Card>
      <h2 className="text-lg font-medium">{tSecurity("firstPassword")}</h2>
      <p className="mt-1 mb-4 text-muted">{tSecurity("firstPasswordHelp")}</p>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <NewPasswordFields errors={errors} />
        <Button type="submit" className="justify-self-start" busy={isAtWork}>
          {isAtWork ? t("saving") : tSecurity("setPassword")}
        </Button>
      </form>
    </Card>
  );
}

function ReplacePassword() {
  const t = useMessages("account");
  const refresh = useRefreshSecurity();
  const { errors, busy, onSubmit } = useForm(changePasswordForm, {
    onError: errorToast(t("updateFailed"), t("passwordFailedHelp")),
    send: async ({ currentPassword, newPassword }, form) => {
      await securityApi.changePassword({ currentPassword, newPassword });
      form.reset();
      await refresh();
      toast({ title: t("passwordChanged"), description: t("passwordChangedHelp") });
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">{t("changeYourPassword")}</h2>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("currentPassword")}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          error={errors.currentPassword}
        />
        <NewPasswordFields errors={errors} />
        <Button type="submit" className="justify-self-start" busy={isAtWork}>
          {t(isAtWork ? "saving" : "changePassword")}
        </Button>
      </form>
    </Card>
  );
}
