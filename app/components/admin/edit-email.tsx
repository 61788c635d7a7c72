import { useRevalidator } from "@remix-run/react";
import { useMemo } from "react";
import * as z from "zod/mini";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useRefused } from "#app/admin/use-change.ts";
import { useForm } from "#app/use-form.ts";
import { adminEmailRequest, type AdminUser } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

const failed = refusalToast("Update failed", "There was a problem updating the email");

/** Another address for an account. The one it has is always taken, and changes nothing (specification 2 section 5). */
export function EditEmail({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const { revalidate } = useRevalidator();
  const schema = useMemo(
    () =>
      z.object({
        email: z.union([z.literal(user.email), adminEmailRequest.shape.email], { error: "Invalid email format" }),
      }),
    [user.email],
  );
  const { errors, busy, onSubmit } = useForm(schema, {
    onInvalid: () => {
      toast({
        title: "Invalid email format",
        description: `Please enter a valid email address (e.g., ${user.email})`,
        tone: "bad",
      });
    },
    onError: useRefused(failed),
    send: async ({ email }) => {
      if (email !== user.email) {
        await adminApi.changeEmail(user.id, email);
        revalidate();
        toast({ title: "Email updated", description: `The address is ${email} now.` });
      }
      onClose();
    },
  });
  return (
    <Dialog title="Edit Email" description={`Now: ${user.email}`} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          defaultValue={user.email}
          error={errors.email}
        />
        <Button type="submit" disabled={busy}>
          {busy ? "Saving…" : "Save"}
        </Button>
      </form>
    </Dialog>
  );
}
