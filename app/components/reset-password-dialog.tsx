import { api } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { says } from "#domain/field-messages.ts";
import { resetForm } from "#domain/wire.ts";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { Field } from "./ui/field.tsx";
import { toast } from "./ui/toast.tsx";

/** Asks for the address whose password was forgotten. */
export function ResetPasswordDialog({ email, onClose }: { email: string; onClose(): void }) {
  const say = useMessages("signIn");
  const sayField = useMessages("fields");
  const { errors, busy, onSubmit } = useForm(resetForm, {
    send: async (form) => {
      await api.requestPasswordReset(form.email);
      toast({
        title: say("resetLinkSent"),
        description: say("resetLinkSentHelp"),
      });
      onClose();
    },
    onError: failureToast(say("resetLinkFailed"), say("tryLater")),
    onInvalid: (found) => {
      if (found.email === EMPTY) toast({ title: say("emailRequired"), description: sayField(EMPTY), tone: "bad" });
    },
  });
  return (
    <Dialog title={say("resetPassword")} description={say("resetPasswordHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label={say("email")}
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          error={errors.email}
        />
        <div className="grid grid-cols-[auto_1fr] gap-3">
          <Button look="quiet" onClick={onClose}>
            {say("cancel")}
          </Button>
          <Button type="submit" disabled={busy}>
            {say(busy ? "sending" : "sendResetLink")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the schema says of an address that was left out (specification 1 section 5). */
const EMPTY = says("emailMissing");
