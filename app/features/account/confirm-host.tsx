import { useEffect, useState, type ComponentType } from "react";
import { securityApi } from "#app/features/account/security-api.ts";
import { askThrough } from "#app/lib/confirming.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { confirmRequest } from "#domain/wire.ts";

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

const FORMS: Record<ConfirmMethod, ComponentType<{ onConfirmed(): void }>> = { password: PasswordForm };

function PasswordForm({ onConfirmed }: { onConfirmed(): void }) {
  const t = useMessages("security");
  const [error, setError] = useState("");
  const { errors, busy, onSubmit } = useForm(confirmRequest, {
    onError: (cause) => {
      setError(messageOf(cause, t("confirmFailed")));
    },
    send: async ({ password }) => {
      setError("");
      await securityApi.confirm({ password });
      onConfirmed();
    },
  });
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
      <FormField
        label={t("yourPassword")}
        name="password"
        type="password"
        autoComplete="current-password"
        error={errors.password ?? error}
      />
      <Button type="submit" disabled={busy}>
        {t(busy ? "confirming" : "confirm")}
      </Button>
    </form>
  );
}
