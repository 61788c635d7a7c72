import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmForm, type ConfirmFormProps } from "#app/features/account/confirm-forms.tsx";
import { refusalOf } from "#app/features/account/refusal-of.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { useAnswerForm } from "#app/features/account/use-answer-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { mailCodeForm } from "#domain/wire.ts";

/**
 * Confirms by a mailed code. The mail goes out when the person asks for it, not when the dialog opens: they may have the
 * code of a mail from before they closed it, and there are only three mails an hour.
 */
export function MailCodeForm({ onConfirmed }: ConfirmFormProps) {
  const t = useMessages("security");
  const tSignIn = useMessages("signIn");
  const [isTyping, setIsTyping] = useState(false);
  const mail = useMutation({
    mutationFn: securityApi.mailConfirmCode,
    onSuccess: () => {
      setIsTyping(true);
    },
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
        <Button
          look="bare"
          onClick={() => {
            setIsTyping(true);
          }}
        >
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
