import { useRevalidator } from "@remix-run/react";
import { useMemo, useState } from "react";
import * as z from "zod/mini";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormField, FormRadio, FormChoices } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { PLANS, planOf, type PlanId } from "#domain/plans.ts";
import { type AdminUser, adminEmailRequest } from "#domain/wire.ts";
import { adminErrorToast, fixedErrorToast, useAdminErrorHandler, useAdminMutation } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { UserFactor } from "./user-factor.tsx";

export type UserAction = "email" | "plan" | "promote" | "demote" | "factor" | "suspend" | "restore" | "delete";

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
    case "suspend":
      return (
        <DecisionDialog
          action="suspend"
          email={user.email}
          reason={null}
          send={(body) => call("POST /api/admin/users/:id/suspension", { params: { id: user.id }, body })}
          onClose={onClose}
        />
      );
    case "restore":
      return <RestoreUser user={user} onClose={onClose} />;
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
      text={t(promotes ? "promoteHelp" : "demoteHelp", { email })}
      yes={t(promotes ? "promote" : "demote")}
      pending={t("saving")}
      look={promotes ? "primary" : "danger"}
      run={() =>
        callConfirmed("PUT /api/admin/user/admin/:id", { params: { id: user.id }, body: { isAdmin: promotes } })
      }
      onSuccess={() =>
        toast({
          title: t(promotes ? "promoted" : "demoted"),
          description: t(promotes ? "promotedHelp" : "demotedHelp", { email }),
        })
      }
      onError={adminErrorToast(t("updateFailed"), t("updateRoleFailed"))}
      onClose={onClose}
    />
  );
}

function RestoreUser({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const t = useMessages("queue");
  const { email } = user;
  return (
    <ConfirmDialog
      title={t("restoreTitle", { email })}
      text={t("restoreHelp")}
      yes={t("restoreAccount")}
      pending={t("restoring")}
      look="primary"
      run={() => call("DELETE /api/admin/users/:id/suspension", { params: { id: user.id } })}
      onSuccess={() => toast({ title: t("accountRestored"), description: email })}
      onError={adminErrorToast(t("failed"), t("restoreFailed"))}
      onClose={onClose}
    />
  );
}

/** Starts the deletion of an account. `useDeletions` shows a toast when the deletion ends. */
function DeleteUser({ user, onDeleting, onClose }: Omit<UserDialogProps, "action">) {
  const t = useMessages("admin");
  return (
    <ConfirmDialog
      title={t("deleteUserQuestion")}
      text={t("deleteUserHelp", { email: user.email })}
      yes={t("deleteUser")}
      pending={t("deleting")}
      run={() => callConfirmed("DELETE /api/admin/users/:id", { params: { id: user.id } })}
      onSuccess={() => onDeleting(user.id)}
      onError={fixedErrorToast(t("deleteFailed"), t("deleteUserFailed"))}
      onClose={onClose}
    />
  );
}

/** Changes a user's address. Saving the same address changes nothing. */
function EditEmail({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const schema = useMemo(
    () =>
      z.object({
        email: z.union([z.literal(user.email), adminEmailRequest.shape.email], { error: t("invalidEmail") }),
      }),
    [user.email, t],
  );
  const { field, ...form } = useForm(schema, {
    onInvalid: () =>
      toast({ title: t("invalidEmail"), description: t("invalidEmailHelp", { email: user.email }), tone: "bad" }),
    onError: useAdminErrorHandler(adminErrorToast(t("updateFailed"), t("updateEmailFailed"))),
    send: async ({ email }) => {
      if (email !== user.email) {
        await callConfirmed("PUT /api/admin/user/email/:id", { params: { id: user.id }, body: { email } });
        revalidate();
        toast({ title: t("emailUpdated"), description: t("emailUpdatedHelp", { email }) });
      }
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("editEmail")}
      description={t("emailNow", { email: user.email })}
      button={[t("save"), t("saving")]}
      onClose={onClose}
      {...form}
    >
      <FormField label={t("email")} type="email" autoComplete="off" defaultValue={user.email} {...field("email")} />
    </FormDialog>
  );
}

/** Sets a user's plan at once, whatever the subscription says. Saving the same plan changes nothing. */
function EditPlan({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const t = useMessages("admin");
  const [plan, setPlan] = useState<PlanId>(user.planType);
  const save = useAdminMutation<PlanId>({
    change: (chosen) => call("PUT /api/admin/user/plan/:id", { params: { id: user.id }, body: { planType: chosen } }),
    onError: fixedErrorToast(t("updateFailed"), t("updatePlanFailed")),
    onSuccess: (chosen) => {
      toast({
        title: t("planUpdated"),
        description: t("planUpdatedHelp", { email: user.email, plan: planOf(chosen).name }),
      });
      onClose();
    },
  });
  return (
    <Dialog title={t("editPlan")} description={user.email} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (plan === user.planType) onClose();
          else save.mutate(plan);
        }}
      >
        <FormChoices legend={t("plan")} isLegendHidden>
          {PLANS.map(({ id, name }) => (
            <FormRadio
              key={id}
              name="planType"
              value={id}
              checked={plan === id}
              aside={id === user.planType && t("planNow")}
              onChange={() => setPlan(id)}
            >
              {name}
            </FormRadio>
          ))}
        </FormChoices>
        <p className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">{t("planOverrides")}</p>
        <Button type="submit" busy={save.isPending}>
          {t(save.isPending ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
