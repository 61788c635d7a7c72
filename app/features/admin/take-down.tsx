import { useRevalidator } from "@remix-run/react";
import { adminErrorToast } from "#app/features/admin/admin-errors.ts";
import { useAdminErrorHandler } from "#app/features/admin/use-admin-mutation.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { REASON_MAX_LENGTH, takeDownRequest, type AdminFile } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

interface TakeDownProps {
  file: AdminFile;
  takeDown(reason: string): Promise<unknown>;
  onClose(): void;
}

/** Disables the file's link at once. The owner sees the reason. */
export function TakeDown({ file, takeDown, onClose }: TakeDownProps) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const { errors, busy, onSubmit } = useForm(takeDownRequest, {
    onError: useAdminErrorHandler(adminErrorToast(t("takeDownFailed"), t("takeDownFailedHelp"))),
    send: async ({ reason }) => {
      await takeDown(reason);
      revalidate();
      toast({ title: t("takenDown"), description: t("takenDownHelp", { filename: file.filename }) });
      onClose();
    },
  });
  return (
    <Dialog title={t("takeDownQuestion")} description={t("fileGoes", { filename: file.filename })} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormTextArea
          label={t("reason")}
          name="reason"
          rows={3}
          maxLength={REASON_MAX_LENGTH}
          hint={t("reasonHelp")}
          error={errors.reason}
        />
        <Button type="submit" look="danger" disabled={busy}>
          {t(busy ? "takingDown" : "takeDownNow")}
        </Button>
      </form>
    </Dialog>
  );
}
