import { useRevalidator } from "@remix-run/react";
import { refusalToast } from "#app/admin/refusal.ts";
import { useRefused } from "#app/admin/use-change.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useForm } from "#app/use-form.ts";
import { REASON_MAX_LENGTH, takeDownRequest, type AdminFile } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

interface TakeDownProps {
  file: AdminFile;
  takeDown(reason: string): Promise<unknown>;
  onClose(): void;
}

/** Ends a file's link at once, for a reason that its owner is told. */
export function TakeDown({ file, takeDown, onClose }: TakeDownProps) {
  const say = useMessages("office");
  const { revalidate } = useRevalidator();
  const { errors, busy, onSubmit } = useForm(takeDownRequest, {
    onError: useRefused(refusalToast(say("takeDownFailed"), say("takeDownFailedHelp"))),
    send: async ({ reason }) => {
      await takeDown(reason);
      revalidate();
      toast({ title: say("takenDown"), description: say("takenDownHelp", { filename: file.filename }) });
      onClose();
    },
  });
  return (
    <Dialog
      title={say("takeDownQuestion")}
      description={say("fileGoes", { filename: file.filename })}
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <TextArea
          label={say("reason")}
          name="reason"
          rows={3}
          maxLength={REASON_MAX_LENGTH}
          hint={say("reasonHelp")}
          error={errors.reason}
        />
        <Button type="submit" look="danger" disabled={busy}>
          {say(busy ? "takingDown" : "takeDownNow")}
        </Button>
      </form>
    </Dialog>
  );
}
