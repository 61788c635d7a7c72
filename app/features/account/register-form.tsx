import { ApiError, call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import { toast } from "#app/ui/toast.ts";
import { registerForm, type CurrentUser } from "#domain/wire.ts";

/** Time to read the toast about an address in use before the login tab opens (decision 024). */
const SWITCH_TO_LOGIN_MS = 1500;

interface RegisterFormProps {
  onSuccess(user: CurrentUser): void;
  onMailSent(): void;
  onEmailTaken(email: string): void;
}

export function RegisterForm({ onSuccess, onMailSent, onEmailTaken }: RegisterFormProps) {
  const t = useMessages("signIn");
  const { field, ...form } = useForm(registerForm, {
    send: async ({ email, password }) => {
      const { user } = await call("POST /api/auth/register", { body: { email, password } });
      if (!user) {
        onMailSent();
        return;
      }
      toast({ title: t("accountCreated") });
      onSuccess(user);
    },
    onError: (error, { email }) => {
      if (!(error instanceof ApiError && error.body.code === "EMAIL_TAKEN")) {
        errorToast(t("registrationFailed"), t("registrationFailedHelp"))(error);
        return;
      }
      toast({ title: t("emailInUse"), description: t("emailInUseHelp"), tone: "bad" });
      setTimeout(() => onEmailTaken(email), SWITCH_TO_LOGIN_MS);
    },
  });

  return (
    <Form {...form} button={[t("createAccount"), t("creatingAccount")]}>
      <FormField label={t("email")} type="email" autoComplete="email" hint={t("emailHint")} {...field("email")} />
      <FormField label={t("password")} type="password" autoComplete="new-password" {...field("password")} />
      <FormField
        label={t("confirmPassword")}
        type="password"
        autoComplete="new-password"
        {...field("confirmPassword")}
      />
    </Form>
  );
}
