import { useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { fixedToast } from "#app/features/admin/admin-errors.ts";
import { useChange } from "#app/features/admin/use-change.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { PLANS, planOf, type PlanId } from "#domain/plans.ts";
import type { AdminUser } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.tsx";

/** Another plan for an account, at once and whatever is paid for. The one it has changes nothing. */
export function EditPlan({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const t = useMessages("admin");
  const [plan, setPlan] = useState<PlanId>(user.planType);
  const save = useChange<PlanId>({
    change: (chosen) => adminApi.changePlan(user.id, chosen),
    onError: fixedToast(t("updateFailed"), t("updatePlanFailed")),
    onDone: (chosen) => {
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
        <fieldset className="grid gap-0.5">
          <legend className="sr-only">{t("plan")}</legend>
          {PLANS.map(({ id, name }) => (
            <label key={id} className="flex min-h-11 items-center gap-3 rounded-lg px-2 has-checked:bg-sunken">
              <input
                type="radio"
                name="planType"
                value={id}
                className="size-4 accent-reed"
                checked={plan === id}
                onChange={() => {
                  setPlan(id);
                }}
              />
              {name}
              {id === user.planType && <span className="ml-auto text-sm text-muted">{t("planNow")}</span>}
            </label>
          ))}
        </fieldset>
        <p className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">{t("planOverrides")}</p>
        <Button type="submit" disabled={save.isPending}>
          {t(save.isPending ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
