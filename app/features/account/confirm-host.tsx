import type { ComponentType } from "react";
import { CodeForm, PasswordForm, type ConfirmFormProps } from "#app/features/account/confirm-forms.tsx";
import { MailCodeForm } from "#app/features/account/mail-code-form.tsx";
import { ConfirmByPasskey } from "#app/features/account/passkeys/confirm-by-passkey.tsx";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useConfirmQuestion } from "#app/lib/use-confirm-question.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { ConfirmMethod } from "#domain/sign-in.ts";

/** Asks for a confirmation when a call needs one (app/lib/confirming.ts). Once on each page of the account. */
export function ConfirmHost() {
  const t = useMessages("security");
  const question = useConfirmQuestion();
  if (!question) return null;
  const { methods, close } = question;
  return (
    <Dialog
      title={t("confirmTitle")}
      description={t("confirmHelp")}
      onClose={() => {
        close(false);
      }}
    >
      {methods.length === 0 && <p>{t("confirmElsewhere")}</p>}
      <div className="grid gap-6">
        {methods.map((method) => {
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
