import { useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { fixedErrorToast } from "#app/features/admin/admin-errors.ts";
import { useAdminMutation } from "#app/features/admin/use-admin-mutation.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { PLANS, planOf, type PlanId } from "#domain/plans.ts";
import type { AdminUser } from "#domain/wire.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormRadio, FormChoices } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";

/** Overrides the plan at once, whatever the subscription. Saving the current plan changes nothing. */
export function EditPlan({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const t = useMessages("admin");
  const [plan, setPlan] = useState<PlanId>(user.planType);
  const save = useAdminMutation<PlanId>({
    change: (chosen) => adminApi.changePlan(user.id, chosen),
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
              onChange={() => {
                setPlan(id);
              }}
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
