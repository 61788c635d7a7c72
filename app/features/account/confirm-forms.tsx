import type { ReactNode } from "react";
import { securityApi } from "#app/features/account/security-api.ts";
import { useAnswerForm } from "#app/features/account/use-answer-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { FormControl } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { codeRequest, passwordForm } from "#domain/wire.ts";

export interface ConfirmFormProps {
  onConfirmed(): void;
}

export function PasswordForm({ onConfirmed }: ConfirmFormProps) {
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

export function CodeForm({ onConfirmed }: ConfirmFormProps) {
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

export function ConfirmForm({ busy, onSubmit, children }: ConfirmFormFrameProps) {
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
