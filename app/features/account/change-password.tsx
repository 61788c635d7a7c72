import { useQueryClient } from "@tanstack/react-query";
import { securityApi, securityKeys } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { changePasswordForm } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function ChangePassword() {
  const t = useMessages("account");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(changePasswordForm, {
    onError: errorToast(t("updateFailed"), t("passwordFailedHelp")),
    send: async ({ currentPassword, newPassword }, form) => {
      await securityApi.changePassword({ currentPassword, newPassword });
      form.reset();
      await Promise.all(Object.values(securityKeys).map((queryKey) => queries.invalidateQueries({ queryKey })));
      toast({ title: t("passwordChanged"), description: t("passwordChangedHelp") });
    },
  });
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
        <FormField
          label={t("newPassword")}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          error={errors.newPassword}
        />
        <FormField
          label={t("confirmNewPassword")}
          name="confirmPassword"
          type="password"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {t(busy ? "saving" : "changePassword")}
        </Button>
      </form>
    </Card>
  );
}
