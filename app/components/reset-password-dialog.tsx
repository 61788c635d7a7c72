import { api } from "#app/api.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { resetForm } from "#domain/wire.ts";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { Field } from "./ui/field.tsx";
import { toast } from "./ui/toast.tsx";

/** Asks for the address whose password was forgotten. */
export function ResetPasswordDialog({ email, onClose }: { email: string; onClose(): void }) {
  const { errors, busy, onSubmit } = useForm(resetForm, {
    send: async (form) => {
      await api.requestPasswordReset(form.email);
      toast({
        title: "Password reset link sent",
        description: "Please check your email for instructions to reset your password.",
      });
      onClose();
    },
    onError: failureToast("Failed to send reset link", "Please try again later"),
    onInvalid: (found) => {
      if (found.email === EMPTY) toast({ title: "Email required", description: EMPTY, tone: "bad" });
    },
  });
  return (
    <Dialog title="Reset Password" description="We send a link that sets a new password." onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field label="Email" name="email" type="email" autoComplete="email" defaultValue={email} error={errors.email} />
        <div className="grid grid-cols-[auto_1fr] gap-3">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={busy}>
            {busy ? "Sending…" : "Send Reset Link"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The schema's word for an address that was left out (specification 1 section 5). */
const EMPTY = "Please enter your email address";
