import { useState } from "react";
import { accountApi } from "#app/features/account/account-api.ts";
import { useAnswerForm } from "#app/features/account/use-answer-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import { mailCodeForm, resetForm, type CurrentUser } from "#domain/wire.ts";

interface SignInResultProps {
  onSuccess(user: CurrentUser): void;
  onSecondFactor(methods: readonly SecondFactorMethod[]): void;
}

interface MailLinkDialogProps extends SignInResultProps {
  /** Initial value. */
  email: string;
  onClose(): void;
}

/** Asks for the address, and then for the code that was mailed to it. */
export function MailLinkDialog({ email, onClose, ...onResult }: MailLinkDialogProps) {
  const t = useMessages("signIn");
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) {
    return (
      <Dialog title={t("mailLinkSent")} description={t("mailLinkSentHelp", { email: sentTo })} onClose={onClose}>
        <CodeForm email={sentTo} {...onResult} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("byMail")} description={t("byMailHelp")} onClose={onClose}>
      <AddressForm email={email} onSent={setSentTo} />
    </Dialog>
  );
}

function AddressForm({ email, onSent }: { email: string; onSent(email: string): void }) {
  const t = useMessages("signIn");
  const { errors, busy, onSubmit } = useForm(resetForm, {
    onError: errorToast(t("mailLinkFailed"), t("tryLater")),
    send: async (form) => {
      await accountApi.requestMailLink(form.email);
      onSent(form.email);
    },
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      <FormField
        label={t("email")}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        error={errors.email}
      />
      <Button type="submit" wide disabled={busy}>
        {t(busy ? "sending" : "sendMailLink")}
      </Button>
    </form>
  );
}

function CodeForm({ email, onSuccess, onSecondFactor }: SignInResultProps & { email: string }) {
  const t = useMessages("signIn");
  const tCommon = useMessages("common");
  const { errors, busy, refusal, onSubmit } = useAnswerForm(mailCodeForm, {
    fallback: t("codeFailed"),
    send: async ({ code }) => {
      const { user, secondFactor } = await accountApi.redeemMailLink({ email, code, rememberMe: true });
      if (user) onSuccess(user);
      else onSecondFactor(secondFactor?.methods ?? []);
    },
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      <FormField
        label={t("mailCode")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        error={errors.code ?? refusal}
      />
      <Button type="submit" wide disabled={busy}>
        {busy ? t("loggingIn") : tCommon("logIn")}
      </Button>
    </form>
  );
}
