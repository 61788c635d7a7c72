import { type ComponentType, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useConfirmQuestion } from "#app/lib/confirming.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { useMutation } from "@tanstack/react-query";
import { refusalOf, useAnswerForm } from "./use-answer-form.ts";
import { securityApi } from "./security-api.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { mailCodeForm, codeRequest, passwordForm } from "#domain/wire.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { askForPasskey } from "./passkeys/browser.ts";
import type { FormControl } from "#app/lib/use-form.ts";

/** Asks for a confirmation when a call needs one (app/lib/confirming.ts). Once on each page of the account. */
export function ConfirmHost() {
  const t = useMessages("security");
  const question = useConfirmQuestion();
  if (!question) return null;
  const { methods, close } = question;
  return (
    <Dialog title={t("confirmTitle")} description={t("confirmHelp")} onClose={() => close(false)}>
      {methods.length === 0 && <p>{t("confirmElsewhere")}</p>}
      <div className="grid gap-6">
        {methods.map((method) => {
          const Form = FORMS[method];
          return <Form key={method} onConfirmed={() => close(true)} />;
        })}
      </div>
    </Dialog>
  );
}

const FORMS: Record<ConfirmMethod, ComponentType<ConfirmFormProps>> = {
  passkey: ConfirmByPasskey,
  password: PasswordForm,
  code: CodeForm,
  mailCode: MailCodeForm,
};

/**
 * Confirms by a mailed code. The mail goes out when the person asks for it, not when the dialog opens: they may have the
 * code of a mail from before they closed it, and there are only three mails an hour.
 */
function MailCodeForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const tSignIn = useMessages("signIn");
  const [isTyping, setIsTyping] = useState(false);
  const mail = useMutation({
    mutationFn: securityApi.mailConfirmCode,
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
      {isTyping && <TypedCode onConfirmed={onConfirmed} />}
      {/* Not `disabled`, which would lose the focus. */}
      <Button
        look="quiet"
        busy={mail.isPending}
        onClick={() => {
          if (!mail.isPending) mail.mutate();
        }}
      >
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

function TypedCode({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const { errors, busy, refusal, onSubmit } = useAnswerForm(mailCodeForm, {
    fallback: t("confirmFailed"),
    send: async ({ code }) => {
      await securityApi.confirm({ mailCode: code });
      onConfirmed();
    },
  });
  return (
    <ConfirmForm busy={busy} onSubmit={onSubmit}>
      <FormField
        label={t("codeFromMail")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        error={errors.code ?? refusal}
      />
    </ConfirmForm>
  );
}

/** In the dialog that confirms. */
function ConfirmByPasskey({ onConfirmed }: { onConfirmed(): void }) {
  const t = useMessages("security");
  const isKnown = useKnowsPasskeys();
  const confirm = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey("confirm");
      if (passkey) await securityApi.confirm({ passkey });
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

interface ConfirmFormProps {
  onConfirmed(): void;
}

function PasswordForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const { errors, ...form } = useConfirmForm(passwordForm, onConfirmed);
  return (
    <ConfirmForm {...form}>
      <FormField
        label={t("yourPassword")}
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password}
      />
    </ConfirmForm>
  );
}

function CodeForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const { errors, ...form } = useConfirmForm(codeRequest, onConfirmed);
  return (
    <ConfirmForm {...form}>
      <FormField
        label={t("codeOfApp")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={errors.code}
      />
    </ConfirmForm>
  );
}

/** @returns the refusal of the server as the error of the form's only field */
function useConfirmForm(schema: typeof passwordForm | typeof codeRequest, onConfirmed: () => void) {
  const t = useMessages("security");
  const { errors, busy, refusal, onSubmit } = useAnswerForm(schema, {
    fallback: t("confirmFailed"),
    send: async (answer) => {
      await securityApi.confirm(answer);
      onConfirmed();
    },
  });
  return { busy, onSubmit, errors: { password: errors.password ?? refusal, code: errors.code ?? refusal } };
}

interface ConfirmFormFrameProps extends Pick<FormControl, "busy" | "onSubmit"> {
  children: ReactNode;
}

function ConfirmForm({ busy, onSubmit, children }: ConfirmFormFrameProps) {
  const t = useMessages("security");
  return (
    // React passes events on to the form in which the dialog was opened.
    <form
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.stopPropagation();
        onSubmit(event);
      }}
    >
      {children}
      <Button type="submit" busy={busy}>
        {t(busy ? "confirming" : "confirm")}
      </Button>
    </form>
  );
}
