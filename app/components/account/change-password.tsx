import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { changePasswordForm } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function ChangePassword() {
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(changePasswordForm, {
    onError: failureToast("Update failed", "Your password could not be changed. Please try again."),
    send: async ({ currentPassword, newPassword }, form) => {
      await api.changePassword({ currentPassword, newPassword });
      form.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.sessions });
      toast({ title: "Password changed", description: "Your other sessions have ended." });
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">Change your password</h2>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          error={errors.currentPassword}
        />
        <Field
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          error={errors.newPassword}
        />
        <Field
          label="Confirm new password"
          name="confirmPassword"
          type="password"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {busy ? "Saving…" : "Change password"}
        </Button>
      </form>
    </Card>
  );
}
