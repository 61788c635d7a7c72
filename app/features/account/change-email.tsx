import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import { toast } from "#app/ui/toast.ts";
import { changeEmailRequest } from "#domain/wire.ts";

export function ChangeEmail() {
  const t = useMessages("account");
  const queries = useQueryClient();
  const { field, ...form } = useForm(changeEmailRequest, {
    onError: errorToast(t("updateFailed"), t("emailFailedHelp")),
    send: async ({ newEmail }, element) => {
      const { pending } = await callConfirmed("POST /api/auth/change-email", { body: { newEmail } });
      element.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.me });
      toast(
        pending
          ? { title: t("checkEmail"), description: t("checkEmailHelp", { email: newEmail }) }
          : { title: t("emailUpdated") },
      );
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">{t("changeYourEmail")}</h2>
      <Form {...form} button={[t("changeEmail"), t("saving")]} fit>
        <FormField label={t("newEmail")} type="email" autoComplete="email" {...field("newEmail")} />
      </Form>
    </Card>
  );
}
