import { useRef, useState } from "react";
import { accountApi } from "#app/features/account/account-api.ts";
import { PasskeyStep } from "#app/features/account/passkeys/passkey-step.tsx";
import { useAnswerForm } from "#app/features/account/use-answer-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FormCheckbox } from "#app/ui/form-checkbox.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import { secondStepForm, type CurrentUser } from "#domain/wire.ts";

interface SecondStepProps {
  methods: readonly SecondFactorMethod[];
  onSuccess(user: CurrentUser): void;
  /** Back to the first step. */
  onRestart(): void;
}

/** The second step of a sign-in: a code of the app, a passkey, or a recovery code. */
export function SecondStep({ methods, onSuccess, onRestart }: SecondStepProps) {
  const t = useMessages("signIn");
  const [method, setMethod] = useState<"code" | "recoveryCode">("code");
  const { errors, busy, refusal, setRefusal, onSubmit } = useAnswerForm(secondStepForm, {
    fallback: t("codeFailed"),
    send: async ({ code, trustDevice }) => {
      const shown = method === "code" ? { code } : { recoveryCode: code };
      const { user } = await accountApi.secondFactor({ ...shown, trustDevice: trustDevice === "on" });
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
        name="code"
        inputMode={isApp ? "numeric" : "text"}
        autoComplete={isApp ? "one-time-code" : "off"}
        autoFocus
        error={errors.code ?? refusal}
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
            setRefusal("");
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
