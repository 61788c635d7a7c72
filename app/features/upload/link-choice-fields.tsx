import clsx from "clsx";
import { ChevronDown, LockKeyhole } from "lucide-react";
import { useId, lazy, Suspense, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { controlClass } from "#app/ui/form-field.tsx";
import { DEFAULT_EXPIRATION, EXPIRATIONS } from "#domain/expiry.ts";
import { expirationOptions } from "#domain/plans.ts";
import type { ProtectLinkProps } from "./chosen-protection.tsx";
import { loadOnDemand } from "./current-upload.ts";
import { type LinkChoiceProps, NO_PROTECTION } from "./link-choice.ts";

const ChosenGuards = lazy(async () => (await loadOnDemand()).chosenGuards());

const EndField = lazy(async () => (await loadOnDemand()).endField());

const AUTOMATIC = "automatic";
const ON_DATE = "date";

interface ExpirationSelectProps extends LinkChoiceProps {
  /** The hours for which the rule for large files keeps the file; null if the rule does not apply. */
  automaticHours: number | null;
}

/** The choice of an expiration. Expirations that the plan does not allow are disabled and name the plan that does. */
export function ExpirationSelect({ wording, plan, choice, automaticHours, onChoice }: ExpirationSelectProps) {
  const t = useMessages("uploads");
  const tExpiration = useMessages("expirations");
  const id = useId();
  const isAutomatic = automaticHours !== null && !choice.expirationChosen;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t(wording.expiration)}
      </label>
      <div className="relative">
        <select
          id={id}
          className={`${controlClass} appearance-none pr-10`}
          value={choice.end !== undefined ? ON_DATE : isAutomatic ? AUTOMATIC : choice.expiration}
          onChange={({ target: { value } }) => {
            const chosen = EXPIRATIONS.find((expiration) => expiration === value);
            const isOnDate = value === ON_DATE;
            onChoice({
              ...choice,
              expiration: chosen ?? DEFAULT_EXPIRATION,
              expirationChosen: chosen !== undefined || isOnDate,
              end: isOnDate ? "" : undefined,
              isEndWrong: isOnDate,
            });
          }}
        >
          {automaticHours !== null && <option value={AUTOMATIC}>{t("automatic", { hours: automaticHours })}</option>}
          {expirationOptions(plan).map(({ value, requiredPlan }) => (
            <option key={value} value={value} disabled={requiredPlan !== null}>
              {requiredPlan
                ? t("locked", { expiration: tExpiration(value), plan: requiredPlan.name })
                : tExpiration(value)}
            </option>
          ))}
          <option value={ON_DATE}>{tExpiration("onDate")}</option>
        </select>
        <ChevronDown size={18} aria-hidden className="pointer-events-none absolute top-3.5 right-3.5 text-muted" />
      </div>
      {choice.end !== undefined && (
        <Suspense>
          <EndField
            end={choice.end}
            plan={plan}
            onChange={(end, isEndWrong) => onChoice({ ...choice, end, isEndWrong })}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The fields for the protection of a new link. Invalid fields stay unfolded. */
export function ProtectLink(props: ProtectLinkProps) {
  const { guards, isProtectionWrong, isSealed } = props.choice;
  const t = useMessages("guards");
  const [isOpen, setOpen] = useState(isProtectionWrong);
  return (
    <div className="grid gap-2">
      <Button
        icon={LockKeyhole}
        look="bare"
        className="-ms-3 justify-self-start px-3!"
        aria-expanded={isOpen}
        onClick={() => setOpen(isProtectionWrong || !isOpen)}
      >
        {t("protect")}
        <ChevronDown size={18} aria-hidden className={clsx(isOpen && "rotate-180")} />
      </Button>
      {(isOpen || isSealed || guards !== NO_PROTECTION) && (
        <Suspense>
          <ChosenGuards {...props} isFolded={!isOpen} />
        </Suspense>
      )}
    </div>
  );
}
