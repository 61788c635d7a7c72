import { adminApi } from "#app/admin/api.ts";
import { fixedToast, refusalToast } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import type { AdminUser } from "#domain/wire.ts";
import { toast } from "../ui/toast.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { EditEmail } from "./edit-email.tsx";
import { EditPlan } from "./edit-plan.tsx";

export type UserAction = "email" | "plan" | "promote" | "demote" | "delete";

interface UserDialogProps {
  action: UserAction;
  user: AdminUser;
  /** Called with an account whose deletion has begun. */
  onDeleting(userId: string): void;
  onClose(): void;
}

/** The dialog of the action that was chosen for a user. */
export function UserDialog({ action, user, onDeleting, onClose }: UserDialogProps) {
  switch (action) {
    case "email":
      return <EditEmail user={user} onClose={onClose} />;
    case "plan":
      return <EditPlan user={user} onClose={onClose} />;
    case "promote":
    case "demote":
      return <ChangeRole user={user} promotes={action === "promote"} onClose={onClose} />;
    case "delete":
      return <DeleteUser user={user} onDeleting={onDeleting} onClose={onClose} />;
  }
}

function ChangeRole({ user, promotes, onClose }: { user: AdminUser; promotes: boolean; onClose(): void }) {
  const say = useMessages("office");
  const { email } = user;
  return (
    <ConfirmDialog
      title={say(promotes ? "promoteQuestion" : "demoteQuestion")}
      description={say(promotes ? "promoteHelp" : "demoteHelp", { email })}
      action={say(promotes ? "promote" : "demote")}
      acting={say("saving")}
      isLoss={!promotes}
      run={() => adminApi.changeRole(user.id, promotes)}
      onDone={() => {
        toast({
          title: say(promotes ? "promoted" : "demoted"),
          description: say(promotes ? "promotedHelp" : "demotedHelp", { email }),
        });
      }}
      onError={refusalToast(say("updateFailed"), say("updateRoleFailed"))}
      onClose={onClose}
    />
  );
}

/** Begins the deletion. The row says "Deleting…" until everything is gone, and a toast says so then (use-deletions.ts). */
function DeleteUser({ user, onDeleting, onClose }: Omit<UserDialogProps, "action">) {
  const say = useMessages("office");
  return (
    <ConfirmDialog
      title={say("deleteUserQuestion")}
      description={say("deleteUserHelp", { email: user.email })}
      action={say("deleteUser")}
      acting={say("deleting")}
      run={() => adminApi.deleteUser(user.id)}
      onDone={() => {
        onDeleting(user.id);
      }}
      onError={fixedToast(say("deleteFailed"), say("deleteUserFailed"))}
      onClose={onClose}
    />
  );
}
