import { useId, useState } from "react";
import { useMessages } from "#app/messages/messages.ts";
import { allows, FOREVER_ENDS_AFTER_MS, isFree, limitFor, planOf } from "#domain/plans.ts";
import { DAY_MS, formatBytes } from "#domain/units.ts";
import type { Downgrade } from "#app/billing/use-plan-choice.ts";
import { DayOf } from "../day-of.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface ConfirmDowngradeProps {
  downgrade: Downgrade;
  onConfirm(atPeriodEnd: boolean): void;
  onClose(): void;
}

/** Says what a smaller plan changes, and what becomes of the files that are there, before anything happens. */
export function ConfirmDowngrade({ downgrade, onConfirm, onClose }: ConfirmDowngradeProps) {
  const { to, current, isSetHere } = downgrade;
  const say = useMessages("pricing");
  const sayExpiration = useMessages("expirations");
  const [atPeriodEnd, setAtPeriodEnd] = useState(true);
  const { name } = planOf(to);
  const { fileSizeBytes, monthBytes, monthTransfers, longestExpiration } = limitFor(to);
  const hasChoice = isSetHere && isFree(to);
  return (
    <Dialog
      title={say("downgradeQuestion", { plan: name })}
      description={say("downgradeLead", { plan: current.planName })}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm marker:text-reed">
        <li>{say("filesLiveOn")}</li>
        {allows(current.planType, "never") && !allows(to, "never") && (
          <li className="font-medium">{say("foreverEnds", { days: FOREVER_ENDS_AFTER_MS / DAY_MS })}</li>
        )}
        <li>
          {say("newFiles", {
            size: formatBytes(fileSizeBytes, say.locale),
            expiration: sayExpiration(longestExpiration),
            month: formatBytes(monthBytes, say.locale),
            transfers: monthTransfers,
          })}
        </li>
        {!isSetHere && <li>{say("portalAsks")}</li>}
      </ul>
      {hasChoice && <WhenToEnd current={downgrade.current} atPeriodEnd={atPeriodEnd} onChange={setAtPeriodEnd} />}
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button look="quiet" onClick={onClose}>
          {say("keepPlan", { plan: current.planName })}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            onConfirm(hasChoice && atPeriodEnd);
          }}
        >
          {isSetHere ? say("downgradeTo", { plan: name }) : say("goOnToConfirm")}
        </Button>
      </div>
    </Dialog>
  );
}

interface WhenToEndProps {
  current: Downgrade["current"];
  atPeriodEnd: boolean;
  onChange(atPeriodEnd: boolean): void;
}

function WhenToEnd({ current, atPeriodEnd, onChange }: WhenToEndProps) {
  const say = useMessages("pricing");
  const name = useId();
  return (
    <fieldset className="mt-5 grid gap-1">
      <legend className="mb-1 text-sm font-medium">{say("when")}</legend>
      {[true, false].map((later) => (
        <label key={String(later)} className="flex min-h-11 items-center gap-2.5">
          <input
            type="radio"
            name={name}
            className="size-5 accent-(--reed)"
            checked={later === atPeriodEnd}
            onChange={() => {
              onChange(later);
            }}
          />
          <span>
            {later
              ? say.rich("whenMonthEnds", {
                  day: () => <DayOf key="day" moment={current.subscription.currentPeriodEnd} />,
                })
              : say("rightAway")}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
