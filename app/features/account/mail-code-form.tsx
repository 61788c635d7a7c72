import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmForm, type ConfirmFormProps } from "#app/features/account/confirm-forms.tsx";
import { refusalOf } from "#app/features/account/refusal-of.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { mailCodeForm } from "#domain/wire.ts";

/** Confirms by a mailed code. The mail goes out when the person asks for it, not when the dialog opens. */
export function MailCodeForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const [refusal, setRefusal] = useState("");
  const refuse = (cause: unknown) => {
    setRefusal(refusalOf(cause, t("confirmFailed")));
  };
  const mail = useMutation({ mutationFn: securityApi.mailConfirmCode, onError: refuse });
  const { errors, busy, onSubmit } = useForm(mailCodeForm, {
    onError: refuse,
    send: async ({ code }) => {
      setRefusal("");
      await securityApi.confirm({ mailCode: code });
      onConfirmed();
    },
  });
  if (mail.isSuccess) {
    return (
      <ConfirmForm busy={busy} onSubmit={onSubmit}>
        <FormField
          label={t("codeFromMail")}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          error={errors.code ?? refusal}
        />
      </ConfirmForm>
    );
  }
  return (
    <div className="grid gap-2">
      {refusal && (
        <p role="alert" className="text-sm text-danger">
          {refusal}
        </p>
      )}
      <Button
        look="quiet"
        disabled={mail.isPending}
        onClick={() => {
          setRefusal("");
          mail.mutate();
        }}
      >
        {t("mailMeACode")}
      </Button>
    </div>
  );
}
