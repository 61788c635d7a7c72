import { useRevalidator } from "@remix-run/react";
import { useMemo } from "react";
import * as z from "zod/mini";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useAdminErrorHandler } from "#app/features/admin/use-admin-mutation.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { useAtWork } from "#app/lib/use-at-work.ts";
import { adminEmailRequest, type AdminUser } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

/** Saving the current address changes nothing. */
export function EditEmail({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const schema = useMemo(
    () =>
      z.object({
        email: z.union([z.literal(user.email), adminEmailRequest.shape.email], {
          error: t("invalidEmail"),
        }),
      }),
    [user.email, t],
  );
  const { errors, busy, onSubmit } = useForm(schema, {
    onInvalid: () => {
      toast({
        title: t("invalidEmail"),
        description: t("invalidEmailHelp", { email: user.email }),
        tone: "bad",
      });
    },
    onError: useAdminErrorHandler(adminErrorToast(t("updateFailed"), t("updateEmailFailed"))),
    send: async ({ email }) => {
      if (email !== user.email) {
        await adminApi.changeEmail(user.id, email);
        revalidate();
        toast({ title: t("emailUpdated"), description: t("emailUpdatedHelp", { email }) });
      }
      onClose();
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Dialog title={t("editEmail")} description={t("emailNow", { email: user.email })} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("email")}
          name="email"
          type="email"
          autoComplete="off"
          defaultValue={user.email}
          error={errors.email}
        />
        <Button type="submit" busy={isAtWork}>
          {t(isAtWork ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
