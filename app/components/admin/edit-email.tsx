import { useRevalidator } from "@remix-run/react";
import { useMemo } from "react";
import * as z from "zod/mini";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useRefused } from "#app/admin/use-change.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useForm } from "#app/use-form.ts";
import { adminEmailRequest, type AdminUser } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

/** Another address for an account. The one it has is always taken, and changes nothing (specification 2 section 5). */
export function EditEmail({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const say = useMessages("office");
  const { revalidate } = useRevalidator();
  const schema = useMemo(
    () =>
      z.object({
        email: z.union([z.literal(user.email), adminEmailRequest.shape.email], {
          error: say("invalidEmail"),
        }),
      }),
    [user.email, say],
  );
  const { errors, busy, onSubmit } = useForm(schema, {
    onInvalid: () => {
      toast({
        title: say("invalidEmail"),
        description: say("invalidEmailHelp", { email: user.email }),
        tone: "bad",
      });
    },
    onError: useRefused(refusalToast(say("updateFailed"), say("updateEmailFailed"))),
    send: async ({ email }) => {
      if (email !== user.email) {
        await adminApi.changeEmail(user.id, email);
        revalidate();
        toast({ title: say("emailUpdated"), description: say("emailUpdatedHelp", { email }) });
      }
      onClose();
    },
  });
  return (
    <Dialog title={say("editEmail")} description={say("emailNow", { email: user.email })} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label={say("email")}
          name="email"
          type="email"
          autoComplete="off"
          defaultValue={user.email}
          error={errors.email}
        />
        <Button type="submit" disabled={busy}>
          {say(busy ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
