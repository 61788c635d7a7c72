import { useRefreshSecurity, useWaysIn } from "#app/features/account/security-api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import { toast } from "#app/ui/toast.ts";
import { changePasswordForm, newPasswordForm } from "#domain/wire.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";

/** Changes the account's password, or sets the first password of an account without one. */
export function ChangePassword() {
  const { data } = useWaysIn();
  return data?.hasPassword === false ? <FirstPassword /> : <ReplacePassword />;
}

function FirstPassword() {
  const t = useMessages("account");
  const tSecurity = useMessages("security");
  const refresh = useRefreshSecurity();
  const { field, ...form } = useForm(newPasswordForm, {
    onError: errorToast(t("updateFailed"), t("passwordFailedHelp")),
    send: async ({ newPassword }) => {
      await callConfirmed("POST /api/auth/change-password", { body: { newPassword } });
      await refresh();
      toast({ title: tSecurity("passwordSet"), description: t("passwordChangedHelp") });
    },
  });
  return (
    <Card>
      <h2 className="text-lg font-medium">{tSecurity("firstPassword")}</h2>
      <p className="mt-1 mb-4 text-muted">{tSecurity("firstPasswordHelp")}</p>
      <Form {...form} button={[tSecurity("setPassword"), t("saving")]} fit>
        <NewPasswordFields field={field} />
      </Form>
    </Card>
  );
}

function ReplacePassword() {
  const t = useMessages("account");
  const refresh = useRefreshSecurity();
  const { field, ...form } = useForm(changePasswordForm, {
    onError: errorToast(t("updateFailed"), t("passwordFailedHelp")),
    send: async ({ currentPassword, newPassword }, element) => {
      await callConfirmed("POST /api/auth/change-password", { body: { currentPassword, newPassword } });
      element.reset();
      await refresh();
      toast({ title: t("passwordChanged"), description: t("passwordChangedHelp") });
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">{t("changeYourPassword")}</h2>
      <Form {...form} button={[t("changePassword"), t("saving")]} fit>
        <FormField
          label={t("currentPassword")}
          type="password"
          autoComplete="current-password"
          {...field("currentPassword")}
        />
        <NewPasswordFields field={field} />
      </Form>
    </Card>
  );
}
