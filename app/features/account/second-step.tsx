import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { useAnswerForm } from "#app/lib/use-answer-form.ts";
import { Button } from "#app/ui/button.tsx";
import { FormCheckbox, FormField } from "#app/ui/form-field.tsx";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import { secondStepForm, type CurrentUser } from "#domain/wire.ts";
import { askForPasskey } from "./passkeys/browser.ts";

interface SecondStepProps {
  methods: readonly SecondFactorMethod[];
  onSuccess(user: CurrentUser): void;
  /** Goes back to the password. */
  onRestart(): void;
}

/** The second step of a sign-in: a code of the authenticator app, a passkey, or a recovery code. */
export function SecondStep({ methods, onSuccess, onRestart }: SecondStepProps) {
  const t = useMessages("signIn");
  const [method, setMethod] = useState<"code" | "recoveryCode">("code");
  const { field, busy, forget, onSubmit } = useAnswerForm(secondStepForm, {
    fallback: t("codeFailed"),
    send: async ({ code, trustDevice }) => {
      const shown = method === "code" ? { code } : { recoveryCode: code };
      const { user } = await call("POST /api/auth/second-factor", {
        body: { ...shown, trustDevice: trustDevice === "on" },
      });
      if (user) onSuccess(user);
    },
  });
  const isApp = method === "code";
  const form = useRef<HTMLFormElement>(null);
  const isTrusted = () => form.current?.querySelector("input[name=trustDevice]:checked") != null;
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={onSubmit}>
      <FormField
        key={method}
        label={t(isApp ? "codeOfApp" : "recoveryCode")}
        inputMode={isApp ? "numeric" : "text"}
        autoComplete={isApp ? "one-time-code" : "off"}
        autoFocus
        {...field("code")}
      />
      <FormCheckbox name="trustDevice">{t("trustDevice")}</FormCheckbox>
      <Button type="submit" wide busy={busy}>
        {t(busy ? "loggingIn" : "continueWithCode")}
      </Button>
      {methods.includes("passkey") && <PasskeyStep isTrusted={isTrusted} onSuccess={onSuccess} />}
      {methods.includes("recoveryCode") && (
        <Button
          look="quiet"
          onClick={() => {
            forget();
            setMethod(isApp ? "recoveryCode" : "code");
          }}
        >
          {t(isApp ? "useRecoveryCode" : "useApp")}
        </Button>
      )}
      <Button look="quiet" onClick={onRestart}>
        {t("backToPassword")}
      </Button>
    </form>
  );
}

interface PasskeyStepProps {
  /** Whether this device skips the second step from now on. */
  isTrusted(): boolean;
  onSuccess(user: CurrentUser): void;
}

/** A passkey as the second factor of a sign-in. Renders nothing in a browser without passkeys. */
function PasskeyStep({ isTrusted, onSuccess }: PasskeyStepProps) {
  const t = useMessages("signIn");
  const isShown = useKnowsPasskeys();
  const step = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey("second-factor");
      return (
        passkey && (await call("POST /api/auth/second-factor", { body: { passkey, trustDevice: isTrusted() } })).user
      );
    },
    onSuccess: (user) => {
      if (user) onSuccess(user);
    },
  });
  if (!isShown) return null;
  return (
    <div className="grid gap-2">
      {step.error && (
        <p role="alert" className="text-sm text-danger">
          {passkeyMessage(step.error, t("passkeyFailed"))}
        </p>
      )}
      <Button look="quiet" wide busy={step.isPending} onClick={() => step.mutate()}>
        {t(step.isPending ? "loggingIn" : "withPasskey")}
      </Button>
    </div>
  );
}
