import { useMutation } from "@tanstack/react-query";
import { ConfirmForm, type ConfirmFormProps } from "#app/features/account/confirm-forms.tsx";
import { refusalOf } from "#app/features/account/refusal-of.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { useAnswerForm } from "#app/features/account/use-answer-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { mailCodeForm } from "#domain/wire.ts";

/** Confirms by a mailed code. The mail goes out when the person asks for it, not when the dialog opens. */
export function MailCodeForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const mail = useMutation({ mutationFn: securityApi.mailConfirmCode });
  const { errors, busy, refusal, onSubmit } = useAnswerForm(mailCodeForm, {
    fallback: t("confirmFailed"),
    send: async ({ code }) => {
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
          autoFocus
          error={errors.code ?? refusal}
        />
      </ConfirmForm>
    );
  }
  return (
    <div className="grid gap-2">
      {mail.error && (
        <p role="alert" className="text-sm text-danger">
          {refusalOf(mail.error, t("confirmFailed"))}
        </p>
      )}
      <Button
        look="quiet"
        disabled={mail.isPending}
        onClick={() => {
          mail.mutate();
        }}
      >
        {t("mailMeACode")}
      </Button>
    </div>
  );
}
