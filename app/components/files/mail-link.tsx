import { api } from "#app/api.ts";
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
  const { errors, busy, onSubmit } = useForm(shareFileRequest, {
    onError: failureToast("Could not send the mail", "Please try again in a moment."),
    send: async (request) => {
      await api.shareFile(file.id, request);
      toast({ title: "Link sent", description: `A mail with the link is on its way to ${request.email}.` });
      onClose();
    },
  });
  return (
    <Dialog
      title="Send by e-mail"
      description={`Whoever gets the mail can download ${file.filename}. It names you as the sender.`}
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label="To"
          name="email"
          type="email"
          autoComplete="off"
          placeholder="name@example.com"
          error={errors.email}
        />
        <label className="grid gap-1.5 text-sm font-medium">
          Note (optional)
          <textarea name="note" rows={3} maxLength={SHARE_NOTE_MAX_LENGTH} className={`${controlClass} font-normal`} />
        </label>
        <Button type="submit" disabled={busy}>
          {busy ? "Sending…" : "Send the link"}
        </Button>
      </form>
    </Dialog>
  );
}
