import { api, ApiError } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { registerForm, type CurrentUser } from "#domain/wire.ts";
import { Button } from "./ui/button.tsx";
import { Field } from "./ui/field.tsx";
import { toast } from "./ui/toast.tsx";

/** How long the notice of a registered address stands before the login tab opens (specification 1 section 4). */
const SWITCH_TO_LOGIN_MS = 1500;

interface RegisterFormProps {
  onSuccess(user: CurrentUser): void;
  onMailSent(): void;
  onEmailTaken(email: string): void;
}

export function RegisterForm({ onSuccess, onMailSent, onEmailTaken }: RegisterFormProps) {
  const say = useMessages("signIn");
  const { errors, busy, onSubmit } = useForm(registerForm, {
    send: async ({ email, password }) => {
      const { user, message = "" } = await api.register({ email, password });
      if (!user || message.includes("check your email")) {
        onMailSent();
        return;
      }
      toast({ title: say("accountCreated") });
      onSuccess(user);
    },
    onError: (error, { email }) => {
      if (!(error instanceof ApiError && error.body.code === "EMAIL_TAKEN")) {
        failureToast(say("registrationFailed"), say("registrationFailedHelp"))(error);
        return;
      }
      toast({
        title: say("emailInUse"),
        description: say("emailInUseHelp"),
        tone: "bad",
      });
      setTimeout(() => {
        onEmailTaken(email);
      }, SWITCH_TO_LOGIN_MS);
    },
  });

  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      <Field
        label={say("email")}
        name="email"
        type="email"
        autoComplete="email"
        hint={say("emailHint")}
        error={errors.email}
      />
      <Field
        label={say("password")}
        name="password"
        type="password"
        autoComplete="new-password"
        error={errors.password}
      />
      <Field
        label={say("confirmPassword")}
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
      <Button type="submit" wide disabled={busy}>
        {say(busy ? "creatingAccount" : "createAccount")}
      </Button>
    </form>
  );
}
