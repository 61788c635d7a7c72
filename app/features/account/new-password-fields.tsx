import { useMessages } from "#app/lib/i18n/messages.ts";
import { FormField } from "#app/ui/form-field.tsx";

/** `newPassword` and `confirmPassword`. @param errors by field */
export function NewPasswordFields({ errors }: { errors: Record<string, string> }) {
  const t = useMessages("account");
  return (
    <>
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
    </>
  );
}
