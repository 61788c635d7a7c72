import { ApiError } from "#app/lib/api.ts";
import { accountApi } from "#app/features/account/account-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { registerForm, type CurrentUser } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

/** Time to read the toast about a registered address before the login tab opens (decision 024). */
const SWITCH_TO_LOGIN_MS = 1500;

interface RegisterFormProps {
  onSuccess(user: CurrentUser): void;
  onMailSent(): void;
  onEmailTaken(email: string): void;
}

export function RegisterForm({ onSuccess, onMailSent, onEmailTaken }: RegisterFormProps) {
  const t = useMessages("signIn");
  const { errors, busy, onSubmit } = useForm(registerForm, {
    send: async ({ email, password }) => {
      const { user } = await accountApi.register({ email, password });
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
      toast({
        title: t("emailInUse"),
        description: t("emailInUseHelp"),
        tone: "bad",
      });
      setTimeout(() => onEmailTaken(email), SWITCH_TO_LOGIN_MS);
    },
  });

  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      <FormField
        label={t("email")}
        name="email"
        type="email"
        autoComplete="email"
        hint={t("emailHint")}
        error={errors.email}
      />
      <FormField
        label={t("password")}
        name="password"
        type="password"
        autoComplete="new-password"
        error={errors.password}
      />
      <FormField
        label={t("confirmPassword")}
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
      <Button type="submit" wide busy={busy}>
        {t(busy ? "creatingAccount" : "createAccount")}
      </Button>
    </form>
  );
}
