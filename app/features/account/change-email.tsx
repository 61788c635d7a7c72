import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { useAtWork } from "#app/lib/confirming.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { changeEmailRequest } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

export function ChangeEmail() {
  const t = useMessages("account");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(changeEmailRequest, {
    onError: errorToast(t("updateFailed"), t("emailFailedHelp")),
    send: async ({ newEmail }, form) => {
      const { pending } = await securityApi.changeEmail({ newEmail });
      form.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.me });
      toast(
        pending
          ? { title: t("checkEmail"), description: t("checkEmailHelp", { email: newEmail }) }
          : { title: t("emailUpdated") },
      );
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">{t("changeYourEmail")}</h2>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField label={t("newEmail")} name="newEmail" type="email" autoComplete="email" error={errors.newEmail} />
        <Button type="submit" className="justify-self-start" busy={isAtWork}>
          {t(isAtWork ? "saving" : "changeEmail")}
        </Button>
      </form>
    </Card>
  );
}
