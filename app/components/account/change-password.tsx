import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { changePasswordForm } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function ChangePassword() {
  const say = useMessages("account");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(changePasswordForm, {
    onError: failureToast(say("updateFailed"), say("passwordFailedHelp")),
    send: async ({ currentPassword, newPassword }, form) => {
      await api.changePassword({ currentPassword, newPassword });
      form.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.sessions });
      toast({ title: say("passwordChanged"), description: say("passwordChangedHelp") });
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">{say("changeYourPassword")}</h2>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label={say("currentPassword")}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          error={errors.currentPassword}
        />
        <Field
          label={say("newPassword")}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          error={errors.newPassword}
        />
        <Field
          label={say("confirmNewPassword")}
          name="confirmPassword"
          type="password"
          autoComplete="new-password"
          error={errors.confirmPassword}
        />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {say(busy ? "saving" : "changePassword")}
        </Button>
      </form>
    </Card>
  );
}
