import { useId, useState } from "react";
import type { Downgrade } from "#app/features/billing/use-plan-choice.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { FormRadio, FormChoices } from "#app/ui/form-field.tsx";
import { Day } from "#app/ui/moments.tsx";
import { allowsExpiration, FOREVER_GRACE_MS, isFree, limitFor, planOf } from "#domain/plans.ts";
import { DAY_MS, formatBytes } from "#domain/units.ts";

interface ConfirmDowngradeProps {
  downgrade: Downgrade;
  onConfirm(atPeriodEnd: boolean): void;
  onClose(): void;
}

export function ConfirmDowngrade({ downgrade, onConfirm, onClose }: ConfirmDowngradeProps) {
  const { to, current, isChangedWithoutPortal } = downgrade;
  const t = useMessages("pricing");
  const tExpiration = useMessages("expirations");
  const [atPeriodEnd, setAtPeriodEnd] = useState(true);
  const { name } = planOf(to);
  const { fileSizeBytes, entries, monthBytes, monthTransfers, longestExpiration } = limitFor(to);
  const hasChoice = isChangedWithoutPortal && isFree(to);
  return (
    <Dialog
      title={t("downgradeQuestion", { plan: name })}
      description={t("downgradeLead", { plan: current.planName })}
      onClose={onClose}
    >
      <ul className="grid list-disc gap-2 pl-5 text-sm marker:text-reed">
        <li>{t("filesLiveOn")}</li>
        {allowsExpiration(current.planType, "never") && !allowsExpiration(to, "never") && (
          <li className="font-medium">{t("foreverEnds", { days: FOREVER_GRACE_MS / DAY_MS })}</li>
        )}
        <li>
          {t("newFiles", {
            size: formatBytes(fileSizeBytes, t.locale),
            files: entries,
            expiration: tExpiration(longestExpiration),
            month: formatBytes(monthBytes, t.locale),
            transfers: monthTransfers,
          })}
        </li>
        {!isChangedWithoutPortal && <li>{t("portalAsks")}</li>}
      </ul>
      {hasChoice && <EndDateChoice current={downgrade.current} atPeriodEnd={atPeriodEnd} onChange={setAtPeriodEnd} />}
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button look="quiet" onClick={onClose}>
          {t("keepPlan", { plan: current.planName })}
        </Button>
        <Button look="danger" onClick={() => onConfirm(hasChoice && atPeriodEnd)}>
          {isChangedWithoutPortal ? t("downgradeTo", { plan: name }) : t("goOnToConfirm")}
        </Button>
      </div>
    </Dialog>
  );
}

interface EndDateChoiceProps {
  current: Downgrade["current"];
  atPeriodEnd: boolean;
  onChange(atPeriodEnd: boolean): void;
}

function EndDateChoice({ current, atPeriodEnd, onChange }: EndDateChoiceProps) {
  const t = useMessages("pricing");
  const name = useId();
  return (
    <div className="mt-5">
      <FormChoices legend={t("when")}>
        {[true, false].map((isLater) => (
          <FormRadio
            key={String(isLater)}
            name={name}
            checked={isLater === atPeriodEnd}
            onChange={() => onChange(isLater)}
          >
            <span>
              {isLater
                ? t.rich("whenMonthEnds", {
                    day: () => <Day key="day" moment={current.subscription.currentPeriodEnd} />,
                  })
                : t("rightAway")}
            </span>
          </FormRadio>
        ))}
      </FormChoices>
    </div>
  );
}
