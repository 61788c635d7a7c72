import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { fixedToast } from "#app/admin/refusal.ts";
import { useChange } from "#app/admin/use-change.ts";
import { PLANS, planOf, type PlanId } from "#domain/plans.ts";
import type { AdminUser } from "#domain/wire.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

const failed = fixedToast("Update failed", "There was a problem updating the plan");

/** Another plan for an account, at once and whatever is paid for. The one it has changes nothing. */
export function EditPlan({ user, onClose }: { user: AdminUser; onClose(): void }) {
  const [plan, setPlan] = useState<PlanId>(user.planType);
  const save = useChange<PlanId>({
    change: (chosen) => adminApi.changePlan(user.id, chosen),
    onError: failed,
    onDone: (chosen) => {
      toast({ title: "Plan updated", description: `${user.email} is on ${planOf(chosen).name} now.` });
      onClose();
    },
  });
  return (
    <Dialog title="Edit Plan" description={user.email} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (plan === user.planType) onClose();
          else save.mutate(plan);
        }}
      >
        <fieldset className="grid gap-0.5">
          <legend className="sr-only">Plan</legend>
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
              {id === user.planType && <span className="ml-auto text-sm text-muted">now</span>}
            </label>
          ))}
        </fieldset>
        <p className="rounded-xl border border-amber bg-sunken p-3.5 text-sm">
          This overrides any existing card subscription and takes effect immediately.
        </p>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? "Saving…" : "Save"}
        </Button>
      </form>
    </Dialog>
  );
}
