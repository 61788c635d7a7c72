import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import { ConfirmByPasskey } from "#app/features/account/passkeys/confirm-by-passkey.tsx";
import { refusalOf } from "#app/features/account/refusal-of.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { askThrough } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm, type FormControl } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { codeRequest, passwordForm } from "#domain/wire.ts";

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
};

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
  const [refusal, setRefusal] = useState("");
  const { errors, busy, onSubmit } = useForm(schema, {
    onError: (cause) => {
      setRefusal(refusalOf(cause, t("confirmFailed")));
    },
    send: async (answer) => {
      setRefusal("");
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
      <Button type="submit" disabled={busy}>
        {t(busy ? "confirming" : "confirm")}
      </Button>
    </form>
  );
}
