import { adminApi } from "#app/admin/api.ts";
import { fixedToast, refusalToast } from "#app/admin/refusal.ts";
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

const roleFailed = refusalToast("Update failed", "There was a problem updating the role");

function ChangeRole({ user, promotes, onClose }: { user: AdminUser; promotes: boolean; onClose(): void }) {
  return (
    <ConfirmDialog
      title={promotes ? "Make this user an administrator?" : "Take the administrator's role away?"}
      description={
        promotes
          ? `${user.email} can then log in here with their own password, and do everything you can.`
          : `${user.email} can no longer log in here; a session that is open ends. Their account stays as it is.`
      }
      action={promotes ? "Promote" : "Demote"}
      acting="Saving…"
      run={() => adminApi.changeRole(user.id, promotes)}
      onDone={() => {
        toast({
          title: promotes ? "User promoted" : "User demoted",
          description: `${user.email} is ${promotes ? "an administrator" : "a user"} now.`,
        });
      }}
      onError={roleFailed}
      onClose={onClose}
    />
  );
}

const deleteFailed = fixedToast("Delete failed", "There was a problem deleting the user");

/** Begins the deletion. The row says "Deleting…" until everything is gone, and a toast says so then (use-deletions.ts). */
function DeleteUser({ user, onDeleting, onClose }: Omit<UserDialogProps, "action">) {
  return (
    <ConfirmDialog
      title="Delete this user?"
      description={`${user.email}, every file of theirs with its link, and their subscription are removed. This cannot be undone.`}
      action="Delete user"
      acting="Deleting…"
      run={() => adminApi.deleteUser(user.id)}
      onDone={() => {
        onDeleting(user.id);
      }}
      onError={deleteFailed}
      onClose={onClose}
    />
  );
}
