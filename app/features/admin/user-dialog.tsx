import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorToast, fixedErrorToast } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { AdminUser } from "#domain/wire.ts";
import { toast } from "#app/ui/toast.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { EditEmail } from "./edit-email.tsx";
import { EditPlan } from "./edit-plan.tsx";
import { UserFactor } from "./user-factor.tsx";

export type UserAction = "email" | "plan" | "promote" | "demote" | "factor" | "delete";

interface UserDialogProps {
  action: UserAction;
  user: AdminUser;
  onDeleting(userId: string): void;
  onClose(): void;
}

export function UserDialog({ action, user, onDeleting, onClose }: UserDialogProps) {
  switch (action) {
    case "email":
      return <EditEmail user={user} onClose={onClose} />;
    case "plan":
      return <EditPlan user={user} onClose={onClose} />;
    case "promote":
    case "demote":
      return <ChangeRole user={user} promotes={action === "promote"} onClose={onClose} />;
    case "factor":
      return <UserFactor user={user} onClose={onClose} />;
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
      pendingLabel={t("saving")}
      isDestructive={!promotes}
      run={() => adminApi.changeRole(user.id, promotes)}
      onSuccess={() => {
        toast({
          title: t(promotes ? "promoted" : "demoted"),
          description: t(promotes ? "promotedHelp" : "demotedHelp", { email }),
        });
      }}
      onError={adminErrorToast(t("updateFailed"), t("updateRoleFailed"))}
      onClose={onClose}
    />
  );
}

/** Starts the deletion; useDeletions shows a toast when it ends. */
function DeleteUser({ user, onDeleting, onClose }: Omit<UserDialogProps, "action">) {
  const t = useMessages("admin");
  return (
    <ConfirmDialog
      title={t("deleteUserQuestion")}
      description={t("deleteUserHelp", { email: user.email })}
      action={t("deleteUser")}
      pendingLabel={t("deleting")}
      run={() => adminApi.deleteUser(user.id)}
      onSuccess={() => {
        onDeleting(user.id);
      }}
      onError={fixedErrorToast(t("deleteFailed"), t("deleteUserFailed"))}
      onClose={onClose}
    />
  );
}
