import { useState } from "react";
import { api } from "#app/api.ts";
import { useLeave } from "#app/session.ts";
import { failureToast, useForm } from "#app/use-form.ts";
import { deleteAccountRequest } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  return (
    <Card>
      <h2 className="text-lg font-medium">Delete your account</h2>
      <p className="mt-1 mb-4 text-muted">Your links end at once, and your files are deleted. This cannot be undone.</p>
      <Button
        look="danger"
        onClick={() => {
          setAsking(true);
        }}
      >
        Delete account
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
  const leave = useLeave();
  const { errors, busy, onSubmit } = useForm(deleteAccountRequest, {
    onError: failureToast("Delete failed", "Your account could not be deleted. Please try again."),
    send: async ({ password }) => {
      const { message } = await api.deleteAccount(password);
      toast({ title: "Account deleted", description: message });
      leave();
    },
  });
  return (
    <Dialog
      title="Delete your account?"
      description="Every file, every link and the account itself are gone for good."
      onClose={onClose}
    >
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <Field
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          error={errors.password}
        />
        <div className="grid grid-cols-2 gap-3">
          <Button look="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button type="submit" look="danger" disabled={busy}>
            {busy ? "Deleting…" : "Delete for good"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
