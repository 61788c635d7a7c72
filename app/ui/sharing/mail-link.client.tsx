import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { SHARE_NOTE_MAX_LENGTH, shareFileRequest, type LinkGuards } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

interface MailLinkProps {
  file: { id: string; filename: string; guards?: LinkGuards | undefined };
  onClose(): void;
}

export function MailLink({ file, onClose }: MailLinkProps) {
  const t = useMessages("common");
  const tGuards = useMessages("guards");
  const { filename } = file;
  const { errors, busy, onSubmit } = useForm(shareFileRequest, {
    onError: errorToast(t("mailFailed"), t("mailFailedHelp")),
    send: async (request) => {
      await call("POST /api/files/:id/share", { params: { id: file.id }, body: request });
      toast({ title: t("linkSent"), description: t("linkSentHelp", { email: request.email }) });
      onClose();
    },
  });
  return (
    <Dialog
      title={t("sendByMail")}
      description={file.guards?.password ? tGuards("mailHelp", { name: filename }) : t("sendByMailHelp", { filename })}
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("mailTo")}
          name="email"
          type="email"
          autoComplete="off"
          placeholder="name@example.com"
          error={errors.email}
        />
        <FormTextArea
          label={t("mailNote")}
          name="note"
          rows={3}
          maxLength={SHARE_NOTE_MAX_LENGTH}
          error={errors.note}
        />
        <Button type="submit" disabled={busy}>
          {t(busy ? "sending" : "sendLink")}
        </Button>
      </form>
    </Dialog>
  );
}
