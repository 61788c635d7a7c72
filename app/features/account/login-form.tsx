import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "#app/lib/api.ts";
import { accountApi } from "#app/features/account/account-api.ts";
import { PasskeyLogin } from "#app/features/account/passkeys/passkey-login.tsx";
import { OtherWaysIn } from "#app/features/account/other-ways-in.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import { loginForm, type CurrentUser } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

interface LoginFormProps {
  /** Initial value; set after a registration with an existing address. */
  email: string;
  /** Where a sign-in by a provider ends; null: on this page. */
  returnTo: string | null;
  onSuccess(user: CurrentUser): void;
  onSecondFactor(methods: readonly SecondFactorMethod[], email: string): void;
  onForgotPassword(email: string): void;
  /** The person wants a link by mail instead. */
  onMailLink(email: string): void;
}

export function LoginForm({
  email,
  returnTo,
  onSuccess,
  onSecondFactor,
  onForgotPassword,
  onMailLink,
}: LoginFormProps) {
  const t = useMessages("signIn");
  const tCommon = useMessages("common");
  const emailField = useRef<HTMLInputElement>(null);
  const [unverified, setUnverified] = useState<{ email: string; notice: string } | null>(null);
  const { errors, busy, onSubmit } = useForm(loginForm, {
    send: async (credentials) => {
      setUnverified(null);
      const { user, secondFactor } = await accountApi.login({
        ...credentials,
        rememberMe: credentials.rememberMe === "on",
      });
      if (user) {
        toast({ title: t("loggedIn") });
        onSuccess(user);
      } else onSecondFactor(secondFactor?.methods ?? [], credentials.email);
    },
    onError: (error, credentials) => {
      const needsVerification = error instanceof ApiError && error.body.needsVerification === true;
      if (needsVerification) setUnverified({ email: credentials.email, notice: error.message });
      else errorToast(t("loginFailed"), t("loginFailedHelp"))(error);
    },
  });

  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      {unverified && <VerificationNotice {...unverified} />}
      <FormField
        ref={emailField}
        label={t("email")}
        name="email"
        type="email"
        autoComplete="username webauthn"
        defaultValue={email}
        error={errors.email}
      />
      <FormField
        label={t("password")}
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <label className="flex min-h-11 items-center gap-2.5">
          <input type="checkbox" name="rememberMe" className="size-5 accent-(--reed)" />
          {t("rememberMe")}
        </label>
        <button
          type="button"
          className="min-h-11 font-medium text-reed underline-offset-4 hover:underline"
          onClick={() => {
            onForgotPassword(emailField.current?.value ?? "");
          }}
        >
          {t("forgotPassword")}
        </button>
      </div>
      <Button type="submit" wide busy={busy}>
        {busy ? t("loggingIn") : tCommon("logIn")}
      </Button>
      <PasskeyLogin
        rememberMe={() => emailField.current?.form?.querySelector("input[name=rememberMe]:checked") !== null}
        onSuccess={onSuccess}
      />
      <OtherWaysIn returnTo={returnTo} emailNow={() => emailField.current?.value ?? ""} onMailLink={onMailLink} />
    </form>
  );
}

function VerificationNotice({ email, notice }: { email: string; notice: string }) {
  const t = useMessages("signIn");
  const resend = useMutation({
    mutationFn: accountApi.resendVerification,
    onSuccess: () => {
      toast({ title: t("verificationSent"), description: t("verificationSentHelp") });
    },
    onError: errorToast(t("verificationFailed"), t("tryLater")),
  });
  return (
    <div role="alert" className="grid gap-2 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      <p>{notice}</p>
      <Button
        look="quiet"
        busy={resend.isPending}
        onClick={() => {
          resend.mutate(email);
        }}
      >
        {t("sendAgain")}
      </Button>
    </div>
  );
}
