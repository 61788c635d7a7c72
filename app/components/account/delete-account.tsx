import { useState } from "react";
import { api } from "#app/api.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useLeave } from "#app/session.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { deleteAccountRequest } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function DeleteAccount() {
  const say = useMessages("account");
  const [asking, setAsking] = useState(false);
  return (
    <Card>
      <h2 className="text-lg font-medium">{say("deleteYourAccount")}</h2>
      <p className="mt-1 mb-4 text-muted">{say("deleteHelp")}</p>
      <Button
        look="danger"
        onClick={() => {
          setAsking(true);
        }}
      >
        {say("deleteAccount")}
      </Button>
      {asking && (
        <ConfirmDeletion
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </Card>
  );
}

function ConfirmDeletion({ onClose }: { onClose(): void }) {
  const say = useMessages("account");
  const leave = useLeave();
  const { errors, busy, onSubmit } = useForm(deleteAccountRequest, {
    onError: failureToast(say("deleteFailed"), say("deleteFailedHelp")),
    send: async ({ password }) => {
      await api.deleteAccount(password);
      toast({ title: say("accountDeleted"), description: say("accountDeletedHelp") });
      leave();
    },
  });
  return (
    <Dialog title={say("deleteQuestion")} description={say("deleteWarning")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label={say("yourPassword")}
          name="password"
          type="password"
          autoComplete="current-password"
          error={errors.password}
        />
        <div className="grid grid-cols-2 gap-3">
          <Button look="quiet" onClick={onClose}>
            {say("keepIt")}
          </Button>
          <Button type="submit" look="danger" disabled={busy}>
            {say(busy ? "deleting" : "deleteForGood")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
