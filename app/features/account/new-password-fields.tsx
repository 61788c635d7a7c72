import { useMessages } from "#app/lib/i18n/messages.ts";
import type { FormControl } from "#app/lib/use-form.ts";
import { FormField } from "#app/ui/form-field.tsx";

/** The form fields `newPassword` and `confirmPassword`. */
export function NewPasswordFields({ field }: Pick<FormControl, "field">) {
  const t = useMessages("account");
  const input = { type: "password", autoComplete: "new-password" };
  return (
    <>
      <FormField label={t("newPassword")} {...input} {...field("newPassword")} />
      <FormField label={t("confirmNewPassword")} {...input} {...field("confirmPassword")} />
    </>
  );
}
