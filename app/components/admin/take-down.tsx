import { useRevalidator } from "@remix-run/react";
import { refusalToast } from "#app/admin/refusal.ts";
import { useRefused } from "#app/admin/use-change.ts";
import { useForm } from "#app/use-form.ts";
import { REASON_MAX_LENGTH, takeDownRequest, type AdminFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

const failed = refusalToast("Take down failed", "There was a problem taking the file down");

interface TakeDownProps {
  file: AdminFile;
  takeDown(reason: string): Promise<unknown>;
  onClose(): void;
}

/** Ends a file's link at once, for a reason that its owner is told. */
export function TakeDown({ file, takeDown, onClose }: TakeDownProps) {
  const { revalidate } = useRevalidator();
  const { errors, busy, onSubmit } = useForm(takeDownRequest, {
    onError: useRefused(failed),
    send: async ({ reason }) => {
      await takeDown(reason);
      revalidate();
      toast({ title: "File taken down", description: `${file.filename} and its link are gone.` });
      onClose();
    },
  });
  return (
    <Dialog
      title="Take this file down?"
      description={`${file.filename} and its link are gone at once, for everyone. This cannot be undone.`}
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <TextArea
          label="Reason"
          name="reason"
          rows={3}
          maxLength={REASON_MAX_LENGTH}
          hint="Kept with the file and in the audit log."
          error={errors.reason}
        />
        <Button type="submit" look="danger" disabled={busy}>
          {busy ? "Taking down…" : "Take down"}
        </Button>
      </form>
    </Dialog>
  );
}
