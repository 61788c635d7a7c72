import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState, useEffect } from "react";
import { ApiError, call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { CHALLENGE_TTL_MS } from "#domain/passkeys.ts";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import { MINUTE_MS } from "#domain/units.ts";
import { loginForm, type CurrentUser, type PasskeyAssertion } from "#domain/wire.ts";
import { askForPasskey, offerPasskeys, signalUnknownPasskey } from "./passkeys/browser.ts";
import { describeProviderError, usePassedOn } from "./provider-return.ts";

interface LoginFormProps {
  /** Initial value of the address field; set after a registration with an existing address. */
  email: string;
  /** The path to which a provider's sign-in returns; null for the page on which the dialog is open. */
  returnTo: string | null;
  onSuccess(user: CurrentUser): void;
  onSecondFactor(methods: readonly SecondFactorMethod[], email: string): void;
  onForgotPassword(email: string): void;
  /** Called when the person chooses to sign in by a mailed link. */
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
  const { field, busy, onSubmit } = useForm(loginForm, {
    send: async (credentials) => {
      setUnverified(null);
      const { user, secondFactor } = await call("POST /api/auth/login", {
        body: { ...credentials, rememberMe: credentials.rememberMe === "on" },
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
        type="email"
        autoComplete="username webauthn"
        defaultValue={email}
        {...field("email")}
      />
      <FormField label={t("password")} type="password" autoComplete="current-password" {...field("password")} />
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <label className="flex min-h-11 items-center gap-2.5">
          <input type="checkbox" name="rememberMe" className="size-5 accent-(--reed)" />
          {t("rememberMe")}
        </label>
        <button
          type="button"
          className="min-h-11 font-medium text-reed underline-offset-4 hover:underline"
          onClick={() => onForgotPassword(emailField.current?.value ?? "")}
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
    mutationFn: (email: string) => call("POST /api/auth/resend-verification", { body: { email } }),
    onSuccess: () => toast({ title: t("verificationSent"), description: t("verificationSentHelp") }),
    onError: errorToast(t("verificationFailed"), t("tryLater")),
  });
  return (
    <div role="alert" className="grid gap-2 rounded-xl border border-amber bg-sunken p-3.5 text-sm">
      <p>{notice}</p>
      <Button look="quiet" busy={resend.isPending} onClick={() => resend.mutate(email)}>
        {t("sendAgain")}
      </Button>
    </div>
  );
}

/** A new passkey offer starts one minute before its challenge ends, to leave time for a fingerprint. */
const OFFER_AGAIN_MS = CHALLENGE_TTL_MS - MINUTE_MS;

interface PasskeyLoginProps {
  /** Whether the session outlives the browser. */
  rememberMe(): boolean;
  onSuccess(user: CurrentUser): void;
}

/** The button and the autofill offer for signing in by passkey. Renders nothing in a browser without passkeys. */
function PasskeyLogin({ rememberMe, onSuccess }: PasskeyLoginProps) {
  const t = useMessages("signIn");
  const isShown = useKnowsPasskeys();
  const login = useMutation({
    mutationFn: async (chosen: PasskeyAssertion | null) => {
      const credential = chosen ?? (await askForPasskey("login"));
      if (!credential) return null;
      try {
        return (await call("POST /api/auth/passkey/login", { body: { credential, rememberMe: rememberMe() } })).user;
      } catch (error) {
        signalUnknownPasskey(error, credential);
        throw error;
      }
    },
    onSuccess: (user) => {
      if (!user) return;
      toast({ title: t("loggedIn") });
      onSuccess(user);
    },
    onError: (error) =>
      toast({ title: t("loginFailed"), description: passkeyMessage(error, t("passkeyFailed")), tone: "bad" }),
  });
  const { mutate, isPending: isBusy, isError: hasFailed } = login;
  // Offers passkeys again after the person has closed a passkey dialog, and before the challenge of the offer runs out.
  // Offers no passkey after a refusal, because the server would refuse the same passkey again.
  useEffect(() => {
    if (isBusy || hasFailed) return;
    let stop = offerPasskeys(mutate);
    const timer = setInterval(() => {
      stop();
      stop = offerPasskeys(mutate);
    }, OFFER_AGAIN_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [isBusy, hasFailed, mutate]);
  if (!isShown) return null;
  return (
    <Button look="quiet" wide busy={isBusy} onClick={() => mutate(null)}>
      {t(isBusy ? "loggingIn" : "withPasskey")}
    </Button>
  );
}

interface OtherWaysInProps {
  /** The address that the person has typed so far. */
  emailNow(): string;
  /** The path to which a provider's sign-in returns; null for the page on which the dialog is open. */
  returnTo: string | null;
  onMailLink(email: string): void;
}

/** Buttons for providers and for a mailed link, if the deployment has them. */
function OtherWaysIn({ emailNow, returnTo, onMailLink }: OtherWaysInProps) {
  const t = useMessages("signIn");
  const error = usePassedOn("error");
  const queryKey = ["/api/auth/providers", "visitor"];
  const { data } = useQuery({ queryKey, queryFn: () => call("GET /api/auth/providers") });
  const refusal = describeProviderError(error, t);
  return (
    <>
      {refusal !== null && (
        <p role="alert" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
          {refusal}
        </p>
      )}
      {data && (data.mailLinks || data.providers.length > 0) && (
        <div className="grid gap-2">
          <p className="text-center text-sm text-muted">{t("orUse")}</p>
          {data.providers.map(({ name, label }) => (
            <a
              key={name}
              href={`/api/auth/provider/${name}?${returnSearch(returnTo)}`}
              className={buttonClass("quiet", true)}
            >
              {t("withProvider", { provider: label })}
            </a>
          ))}
          {data.mailLinks && (
            <Button look="quiet" wide onClick={() => onMailLink(emailNow())}>
              {t("byMail")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** @param wish the path to return to after the sign-in; null for the page on which the dialog is open */
function returnSearch(wish: string | null): string {
  const { pathname, search } = window.location;
  const returnTo = wish ?? (pathname === "/" ? null : pathname + search);
  return returnTo === null ? "" : new URLSearchParams({ returnTo }).toString();
}
