import { adminApi } from "#app/features/admin/admin-api.ts";
import { fixedToast, refusalToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminUser } from "#domain/wire.ts";
import { toast } from "#app/ui/toast.ts";
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
  const t = useMessages("admin");
  const { email } = user;
  return (
    <ConfirmDialog
      title={t(promotes ? "promoteQuestion" : "demoteQuestion")}
      description={t(promotes ? "promoteHelp" : "demoteHelp", { email })}
      action={t(promotes ? "promote" : "demote")}
      acting={t("saving")}
      isLoss={!promotes}
      run={() => adminApi.changeRole(user.id, promotes)}
      onDone={() => {
        toast({
          title: t(promotes ? "promoted" : "demoted"),
          description: t(promotes ? "promotedHelp" : "demotedHelp", { email }),
        });
      }}
      onError={refusalToast(t("updateFailed"), t("updateRoleFailed"))}
      onClose={onClose}
    />
  );
}

/** Begins the deletion. The row says "Deleting…" until everything is gone, and a toast says so then (use-deletions.ts). */
function DeleteUser({ user, onDeleting, onClose }: Omit<UserDialogProps, "action">) {
  const t = useMessages("admin");
  return (
    <ConfirmDialog
      title={t("deleteUserQuestion")}
      description={t("deleteUserHelp", { email: user.email })}
      action={t("deleteUser")}
      acting={t("deleting")}
      run={() => adminApi.deleteUser(user.id)}
      onDone={() => {
        onDeleting(user.id);
      }}
      onError={fixedToast(t("deleteFailed"), t("deleteUserFailed"))}
      onClose={onClose}
    />
  );
}
