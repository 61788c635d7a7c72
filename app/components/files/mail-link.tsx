import { api } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { SHARE_NOTE_MAX_LENGTH, shareFileRequest } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

interface MailLinkProps {
  file: { id: string; filename: string };
  onClose(): void;
}

/** Sends a file's link to somebody by mail. */
export function MailLink({ file, onClose }: MailLinkProps) {
  const say = useMessages("common");
  const { errors, busy, onSubmit } = useForm(shareFileRequest, {
    onError: failureToast(say("mailFailed"), say("mailFailedHelp")),
    send: async (request) => {
      await api.shareFile(file.id, request);
      toast({ title: say("linkSent"), description: say("linkSentHelp", { email: request.email }) });
      onClose();
    },
  });
  return (
    <Dialog
      title={say("sendByMail")}
      description={say("sendByMailHelp", { filename: file.filename })}
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label={say("mailTo")}
          name="email"
          type="email"
          autoComplete="off"
          placeholder="name@example.com"
          error={errors.email}
        />
        <label className="grid gap-1.5 text-sm font-medium">
          {say("mailNote")}
          <textarea name="note" rows={3} maxLength={SHARE_NOTE_MAX_LENGTH} className={`${controlClass} font-normal`} />
        </label>
        <Button type="submit" disabled={busy}>
          {say(busy ? "sending" : "sendLink")}
        </Button>
      </form>
    </Dialog>
  );
}
