import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { messageName } from "#domain/field-messages.ts";
import { resetForm } from "#domain/wire.ts";

const EMAIL_MISSING = messageName("emailMissing");

export function ResetPasswordDialog({ email, onClose }: { email: string; onClose(): void }) {
  const t = useMessages("signIn");
  const tFields = useMessages("fields");
  const { field, busy, onSubmit } = useForm(resetForm, {
    send: async (form) => {
      await call("POST /api/auth/reset-password", { body: { email: form.email } });
      toast({ title: t("resetLinkSent"), description: t("resetLinkSentHelp") });
      onClose();
    },
    onError: errorToast(t("resetLinkFailed"), t("tryLater")),
    onInvalid: (invalid) => {
      if (invalid.email === EMAIL_MISSING)
        toast({ title: t("emailRequired"), description: tFields(EMAIL_MISSING), tone: "bad" });
    },
  });
  return (
    <Dialog title={t("resetPassword")} description={t("resetPasswordHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField label={t("email")} type="email" autoComplete="email" defaultValue={email} {...field("email")} />
        <div className="grid grid-cols-[auto_1fr] gap-3">
          <Button look="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" busy={busy}>
            {t(busy ? "sending" : "sendResetLink")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
