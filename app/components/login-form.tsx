import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, ApiError } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { loginForm, type CurrentUser } from "#domain/wire.ts";
import { Button } from "./ui/button.tsx";
import { Field } from "./ui/field.tsx";
import { toast } from "./ui/toast.tsx";

interface LoginFormProps {
  /** Filled in when an address turned out to be registered already. */
  email: string;
  onSuccess(user: CurrentUser): void;
  /** Gets the address that was typed so far. */
  onForgotten(email: string): void;
}

export function LoginForm({ email, onSuccess, onForgotten }: LoginFormProps) {
  const say = useMessages("signIn");
  const sayCommon = useMessages("common");
  const emailField = useRef<HTMLInputElement>(null);
  const [unverified, setUnverified] = useState<{ email: string; notice: string } | null>(null);
  const { errors, busy, onSubmit } = useForm(loginForm, {
    send: async (credentials) => {
      setUnverified(null);
      const { user } = await api.login({ ...credentials, rememberMe: credentials.rememberMe === "on" });
      toast({ title: say("loggedIn") });
      if (user) onSuccess(user);
    },
    onError: (error, credentials) => {
      const needsVerification = error instanceof ApiError && error.body.needsVerification === true;
      if (needsVerification) setUnverified({ email: credentials.email, notice: error.message });
      else failureToast(say("loginFailed"), say("loginFailedHelp"))(error);
    },
  });

  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      {unverified && <VerificationNotice {...unverified} />}
      <Field
        ref={emailField}
        label={say("email")}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        error={errors.email}
      />
      <Field
        label={say("password")}
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <label className="flex min-h-11 items-center gap-2.5">
          <input type="checkbox" name="rememberMe" className="size-5 accent-(--reed)" />
          {say("rememberMe")}
        </label>
        <button
          type="button"
          className="min-h-11 font-medium text-reed underline-offset-4 hover:underline"
          onClick={() => {
            onForgotten(emailField.current?.value ?? "");
          }}
        >
          {say("forgotPassword")}
        </button>
      </div>
      <Button type="submit" wide disabled={busy}>
        {busy ? say("loggingIn") : sayCommon("logIn")}
      </Button>
    </form>
  );
}

/** The account is there, but its address has not been confirmed yet. */
function VerificationNotice({ email, notice }: { email: string; notice: string }) {
  const say = useMessages("signIn");
  const resend = useMutation({
    mutationFn: api.resendVerification,
    onSuccess: () => {
      toast({ title: say("verificationSent"), description: say("verificationSentHelp") });
    },
    onError: failureToast(say("verificationFailed"), say("tryLater")),
  });
  return (
    <div role="alert" className="grid gap-2 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      <p>{notice}</p>
      <Button
        look="quiet"
        disabled={resend.isPending}
        onClick={() => {
          resend.mutate(email);
        }}
      >
        {say("sendAgain")}
      </Button>
    </div>
  );
}
