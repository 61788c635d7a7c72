import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnswerForm } from "#app/lib/use-answer-form.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox, FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import { toast } from "#app/ui/toast.ts";
import type { SecondFactorMethod } from "#domain/sign-in.ts";
import { mailCodeForm, resetForm, type CurrentUser } from "#domain/wire.ts";

interface SignInResultProps {
  onSuccess(user: CurrentUser): void;
  onSecondFactor(methods: readonly SecondFactorMethod[], email: string): void;
}

interface MailLinkDialogProps extends SignInResultProps {
  /** Initial value of the address field. */
  email: string;
  onClose(): void;
}

/** Asks for the address, and then for the code in the mail sent to the address. */
export function MailLinkDialog({ email, onClose, ...onResult }: MailLinkDialogProps) {
  const t = useMessages("signIn");
  const [address, setAddress] = useState(email);
  const [isSent, setIsSent] = useState(false);
  if (isSent) {
    return (
      <Dialog title={t("mailLinkSent")} description={t("mailLinkSentHelp", { email: address })} onClose={onClose}>
        <CodeForm email={address} onOtherAddress={() => setIsSent(false)} {...onResult} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("byMail")} description={t("byMailHelp")} onClose={onClose}>
      <AddressForm
        email={address}
        onSent={(sentTo) => {
          setAddress(sentTo);
          setIsSent(true);
        }}
      />
    </Dialog>
  );
}

function AddressForm({ email, onSent }: { email: string; onSent(email: string): void }) {
  const t = useMessages("signIn");
  const { field, ...form } = useForm(resetForm, {
    onError: errorToast(t("mailLinkFailed"), t("tryLater")),
    send: async ({ email: address }) => {
      await call("POST /api/auth/mail-link", { body: { email: address } });
      onSent(address);
    },
  });
  return (
    <Form {...form} button={[t("sendMailLink"), t("sending")]}>
      <FormField
        label={t("email")}
        type="email"
        autoComplete="email"
        autoFocus
        defaultValue={email}
        {...field("email")}
      />
    </Form>
  );
}

interface CodeFormProps extends SignInResultProps {
  email: string;
  onOtherAddress(): void;
}

function CodeForm({ email, onOtherAddress, onSuccess, onSecondFactor }: CodeFormProps) {
  const t = useMessages("signIn");
  const tCommon = useMessages("common");
  const [rememberMe, setRememberMe] = useState(false);
  const { field, busy, onSubmit } = useAnswerForm(mailCodeForm, {
    fallback: t("codeFailed"),
    send: async ({ code }) => {
      const { user, secondFactor } = await call("POST /api/auth/mail-link/use", { body: { email, code, rememberMe } });
      if (user) onSuccess(user);
      else onSecondFactor(secondFactor?.methods ?? [], email);
    },
  });
  const again = useMutation({
    mutationFn: () => call("POST /api/auth/mail-link", { body: { email } }),
    onSuccess: () => toast({ title: t("anotherMailSent") }),
    onError: errorToast(t("mailLinkFailed"), t("tryLater")),
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={onSubmit}>
      <FormField label={t("mailCode")} inputMode="numeric" autoComplete="one-time-code" autoFocus {...field("code")} />
      <FormCheckbox checked={rememberMe} onChange={(event) => setRememberMe(event.target.checked)}>
        {t("rememberMe")}
      </FormCheckbox>
      <Button type="submit" wide busy={busy}>
        {busy ? t("loggingIn") : tCommon("logIn")}
      </Button>
      <div className="grid gap-2">
        <p className="text-sm text-muted">{t("lookInSpam")}</p>
        <Button look="quiet" wide busy={again.isPending} onClick={() => again.mutate()}>
          {t(again.isPending ? "sending" : "sendAnotherMail")}
        </Button>
        <Button look="quiet" wide onClick={onOtherAddress}>
          {t("otherAddress")}
        </Button>
      </div>
    </form>
  );
}
