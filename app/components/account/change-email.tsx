import { useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { changeEmailRequest } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function ChangeEmail() {
  const say = useMessages("account");
  const queries = useQueryClient();
  const { errors, busy, onSubmit } = useForm(changeEmailRequest, {
    onError: failureToast(say("updateFailed"), say("emailFailedHelp")),
    send: async ({ currentPassword, newEmail }, form) => {
      const { pending } = await api.changeEmail({ currentPassword, newEmail });
      form.reset();
      await queries.invalidateQueries({ queryKey: queryKeys.me });
      toast(
        pending
          ? { title: say("checkEmail"), description: say("checkEmailHelp", { email: newEmail }) }
          : { title: say("emailUpdated") },
      );
    },
  });
  return (
    <Card>
      <h2 className="mb-4 text-lg font-medium">{say("changeYourEmail")}</h2>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field label={say("newEmail")} name="newEmail" type="email" autoComplete="email" error={errors.newEmail} />
        <Field
          label={say("yourPassword")}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          error={errors.currentPassword}
        />
        <Button type="submit" className="justify-self-start" disabled={busy}>
          {say(busy ? "saving" : "changeEmail")}
        </Button>
      </form>
    </Card>
  );
}
