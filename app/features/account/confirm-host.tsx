import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { useConfirmQuestion } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { refusalOf, useAnswerForm } from "#app/lib/use-answer-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import { mailCodeForm, codeRequest, passwordForm } from "#domain/wire.ts";
import { askForPasskey } from "./passkeys/browser.ts";

/**
 * The dialog that asks for a confirmation when a call needs one (app/lib/confirming.ts). Each account page has one such
 * dialog.
 */
export function ConfirmHost() {
  const t = useMessages("security");
  const question = useConfirmQuestion();
  if (!question) return null;
  const { methods, close } = question;
  const onConfirmed = () => close(true);
  return (
    <Dialog title={t("confirmTitle")} description={t("confirmHelp")} onClose={() => close(false)}>
      {methods.length === 0 && <p>{t("confirmElsewhere")}</p>}
      <div className="grid gap-6">
        {methods.map((method) => {
          if (method === "passkey") return <ConfirmByPasskey key={method} onConfirmed={onConfirmed} />;
          if (method === "mailCode") return <MailCodeForm key={method} onConfirmed={onConfirmed} />;
          return <TypedAnswer key={method} kind={method} onConfirmed={onConfirmed} />;
        })}
      </div>
    </Dialog>
  );
}

interface ConfirmFormProps {
  onConfirmed(): void;
}

/**
 * Confirms by a mailed code. A mail is sent only on a click, because the code of an earlier mail may still be valid,
 * and the limit is three mails an hour.
 */
function MailCodeForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const tSignIn = useMessages("signIn");
  const [isTyping, setIsTyping] = useState(false);
  const mail = useMutation({
    mutationFn: () => call("POST /api/auth/confirm/mail"),
    onSuccess: () => setIsTyping(true),
  });
  return (
    <div className="grid gap-2">
      {mail.error && (
        <p role="alert" className="text-sm text-danger">
          {refusalOf(mail.error, t("confirmFailed"))}
        </p>
      )}
      <p role="status" className="text-sm text-muted empty:hidden">
        {mail.isSuccess ? `${t("codeMailed")} ${tSignIn("lookInSpam")}` : ""}
      </p>
      {isTyping && <TypedAnswer kind="mailCode" onConfirmed={onConfirmed} />}
      <Button look="quiet" busy={mail.isPending} onClick={() => mail.mutate()}>
        {isTyping ? tSignIn("sendAnotherMail") : t("mailMeACode")}
      </Button>
      {!isTyping && (
        <Button look="bare" onClick={() => setIsTyping(true)}>
          {t("haveCode")}
        </Button>
      )}
    </div>
  );
}

function ConfirmByPasskey({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const isKnown = useKnowsPasskeys();
  const confirm = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey("confirm");
      if (passkey) await call("POST /api/auth/confirm", { body: { passkey } });
      return passkey !== null;
    },
    onSuccess: (isConfirmed) => {
      if (isConfirmed) onConfirmed();
    },
  });
  if (!isKnown) return <p>{t("passkeyNeedsBrowser")}</p>;
  return (
    <div className="grid gap-2">
      {confirm.error && (
        <p role="alert" className="text-sm">
          {passkeyMessage(confirm.error, t("confirmFailed"))}
        </p>
      )}
      <Button busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {t(confirm.isPending ? "confirming" : "confirmByPasskey")}
      </Button>
    </div>
  );
}

const CODE = { name: "code", inputMode: "numeric", autoComplete: "one-time-code" } as const;

/** The form field for each typed way to confirm: password, code of the app, mailed code. */
const ANSWERS = {
  password: {
    schema: passwordForm,
    label: "yourPassword",
    input: { name: "password", type: "password", autoComplete: "current-password" },
  },
  code: { schema: codeRequest, label: "codeOfApp", input: CODE },
  mailCode: { schema: mailCodeForm, label: "codeFromMail", input: { ...CODE, autoFocus: true } },
} as const;

function TypedAnswer({ kind, onConfirmed }: ConfirmFormProps & { kind: keyof typeof ANSWERS }) {
  const t = useMessages("security");
  const { schema, label, input } = ANSWERS[kind];
  const { field, ...form } = useAnswerForm<typeof schema>(schema, {
    fallback: t("confirmFailed"),
    send: async (answer) => {
      await call("POST /api/auth/confirm", {
        body: kind === "mailCode" && "code" in answer ? { mailCode: answer.code } : answer,
      });
      onConfirmed();
    },
  });
  return (
    <Form {...form} button={[t("confirm"), t("confirming")]} confirms>
      <FormField label={t(label)} {...input} {...field(input.name)} />
    </Form>
  );
}
