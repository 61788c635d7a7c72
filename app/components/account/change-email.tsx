import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { changeEmailRequest } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function ChangeEmail() {
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(changeEmailRequest, {
    onError: failureToast("Update failed", "Your address could not be changed. Please try again."),
    send: async ({ newEmail }, form) => {
      const { pending } = await api.changeEmail(newEmail);
      form.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.me });
      toast(
        pending
          ? { title: "Please check your email", description: `Open the link in the mail to ${newEmail} to confirm it.` }
          : { title: "Email updated" },
      );
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">Change your email address</h2>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field label="New email" name="newEmail" type="email" autoComplete="email" error={errors.newEmail} />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {busy ? "Saving…" : "Change email"}
        </Button>
      </form>
    </Card>
  );
}
