import { useState, type FormEvent } from "react";
import { api, ApiError } from "#app/api.ts";
import { fieldErrors, messageOf } from "#app/forms.ts";
import { loginRequest, type CurrentUser } from "#domain/wire.ts";
import { Button } from "./ui/button.tsx";
import { Field } from "./ui/field.tsx";
import { toast } from "./ui/toast.tsx";

interface LoginFormProps {
  /** Filled in when an address turned out to be registered already. */
  email: string;
  onSuccess(user: CurrentUser): void;
}

export function LoginForm({ email, onSuccess }: LoginFormProps) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [notice, setNotice] = useState("");
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const parsed = loginRequest.safeParse({
      email: form.get("email"),
      password: form.get("password"),
      rememberMe: form.has("rememberMe"),
    });
    setErrors(parsed.success ? {} : fieldErrors(parsed.error));
    if (!parsed.success) return;
    setBusy(true);
    setNotice("");
    try {
      const { user } = await api.login(parsed.data);
      if (!user) throw new Error("Invalid credentials");
      toast({ title: "Logged in successfully" });
      onSuccess(user);
    } catch (error) {
      if (error instanceof ApiError && error.body.needsVerification === true) setNotice(error.message);
      else toast({ title: "Login failed", description: messageOf(error, "Invalid credentials"), tone: "bad" });
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {notice && (
        <p role="alert" className="rounded-xl border border-amber bg-sunken p-3 text-sm">
          {notice}
        </p>
      )}
      <Field label="Email" name="email" type="email" autoComplete="email" defaultValue={email} error={errors.email} />
      <Field label="Password" name="password" type="password" autoComplete="current-password" error={errors.password} />
      <label className="flex min-h-8 items-center gap-2.5 text-sm">
        <input type="checkbox" name="rememberMe" className="size-5 accent-(--reed)" />
        Remember me
      </label>
      <Button type="submit" wide disabled={busy}>
        {busy ? "Logging in…" : "Log In"}
      </Button>
    </form>
  );
}
