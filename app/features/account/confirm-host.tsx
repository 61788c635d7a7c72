import { useEffect, useState, type ComponentType } from "react";
import { CodeForm, PasswordForm, type ConfirmFormProps } from "#app/features/account/confirm-forms.tsx";
import { MailCodeForm } from "#app/features/account/mail-code-form.tsx";
import { ConfirmByPasskey } from "#app/features/account/passkeys/confirm-by-passkey.tsx";
import { askThrough } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { ConfirmMethod } from "#domain/sign-in.ts";

interface Question {
  methods: readonly ConfirmMethod[];
  /** Of every call that waits. */
  answer: ((isConfirmed: boolean) => void)[];
}

/** Asks for a confirmation when a call needs one (app/lib/confirming.ts). Once on each page of the account. */
export function ConfirmHost() {
  const t = useMessages("security");
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(
    () =>
      askThrough(
        (methods) =>
          new Promise((resolve) => {
            setQuestion((open) => ({ methods, answer: [...(open?.answer ?? []), resolve] }));
          }),
      ),
    [],
  );
  if (!question) return null;
  const close = (isConfirmed: boolean) => {
    setQuestion(null);
    for (const answer of question.answer) answer(isConfirmed);
  };
  return (
    <Dialog
      title={t("confirmTitle")}
      description={t("confirmHelp")}
      onClose={() => {
        close(false);
      }}
    >
      {question.methods.length === 0 && <p>{t("confirmElsewhere")}</p>}
      {question.methods.map((method) => {
        const Form = FORMS[method];
        return (
          <Form
            key={method}
            onConfirmed={() => {
              close(true);
            }}
          />
        );
      })}
    </Dialog>
  );
}

const FORMS: Record<ConfirmMethod, ComponentType<ConfirmFormProps>> = {
  passkey: ConfirmByPasskey,
  password: PasswordForm,
  code: CodeForm,
  mailCode: MailCodeForm,
};
