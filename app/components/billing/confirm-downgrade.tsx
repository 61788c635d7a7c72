import { useId, useState } from "react";
import { expirationLabel } from "#domain/expiry.ts";
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
  const [atPeriodEnd, setAtPeriodEnd] = useState(true);
  const { name } = planOf(to);
  const { fileSizeBytes, monthBytes, monthTransfers, longestExpiration } = limitFor(to);
  const hasChoice = isSetHere && isFree(to);
  return (
    <Dialog
      title={`Downgrade to ${name}?`}
      description={`You are on ${current.planName} now. This is what changes, and what does not.`}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm marker:text-reed">
        <li>Files you have uploaded live out their time, and their links go on working until then.</li>
        {allows(current.planType, "never") && !allows(to, "never") && (
          <li className="font-medium">
            Files kept forever get {FOREVER_ENDS_AFTER_MS / DAY_MS} days. Then they are gone, for everyone.
          </li>
        )}
        <li>
          New files: up to {formatBytes(fileSizeBytes)} each, kept up to {expirationLabel(longestExpiration)}, with{" "}
          {formatBytes(monthBytes)} and {monthTransfers} transfers a month.
        </li>
        {!isSetHere && (
          <li>
            The billing portal opens and asks you to confirm. It says what is charged or given back, and from what day.
          </li>
        )}
      </ul>
      {hasChoice && <WhenToEnd current={downgrade.current} atPeriodEnd={atPeriodEnd} onChange={setAtPeriodEnd} />}
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button look="quiet" onClick={onClose}>
          Keep {current.planName}
        </Button>
        <Button
          look="danger"
          onClick={() => {
            onConfirm(hasChoice && atPeriodEnd);
          }}
        >
          {isSetHere ? `Downgrade to ${name}` : "Go on to confirm"}
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
  const name = useId();
  return (
    <fieldset className="mt-5 grid gap-1">
      <legend className="mb-1 text-sm font-medium">When?</legend>
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
            {later ? (
              <>
                When the month ends, on <DayOf moment={current.subscription.currentPeriodEnd} />
              </>
            ) : (
              "Right away"
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
