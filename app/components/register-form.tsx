import { api } from "#app/api.ts";
import { messageOf } from "#app/forms.ts";
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

const failed = failureToast("Registration failed", "Failed to create account");

export function RegisterForm({ onSuccess, onMailSent, onEmailTaken }: RegisterFormProps) {
  const { errors, busy, onSubmit } = useForm(registerForm, {
    send: async ({ email, password }) => {
      const { user, message = "" } = await api.register({ email, password });
      if (!user || message.includes("check your email")) {
        onMailSent();
        return;
      }
      toast({ title: "Account created successfully" });
      onSuccess(user);
    },
    onError: (error, { email }) => {
      if (!messageOf(error, "").includes("Email already registered")) {
        failed(error);
        return;
      }
      toast({
        title: "Email already in use",
        description: "This email address is already registered. Switching to login form.",
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
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        hint="A valid email address, such as name@example.com"
        error={errors.email}
      />
      <Field label="Password" name="password" type="password" autoComplete="new-password" error={errors.password} />
      <Field
        label="Confirm password"
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
      <Button type="submit" wide disabled={busy}>
        {busy ? "Creating your account…" : "Create account"}
      </Button>
    </form>
  );
}
