import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { DEFAULT_EXPIRATION, EXPIRATIONS } from "#domain/expiry.ts";
import { expirationOptions, type PlanId } from "#domain/plans.ts";
import { controlClass } from "#app/ui/form-field.tsx";
import type { ExpirationChoice } from "./upload-card.tsx";
import type { Wording } from "./wording.ts";

const AUTOMATIC = "automatic";

interface ExpirationSelectProps {
  wording: Wording;
  plan: PlanId;
  choice: ExpirationChoice;
  /** Hours of the automatic rule, where it would apply to the file at hand. */
  automaticHours: number | null;
  onChoice(choice: ExpirationChoice): void;
}

/** When the link ends. What the plan does not allow is shown, locked, with the plan that opens it. */
export function ExpirationSelect({ wording, plan, choice, automaticHours, onChoice }: ExpirationSelectProps) {
  const t = useMessages("uploads");
  const tExpiration = useMessages("expirations");
  const id = useId();
  const automatic = automaticHours !== null && !choice.expirationChosen;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t(wording.expiration)}
      </label>
      <div className="relative">
        <select
          id={id}
          className={`${controlClass} appearance-none pr-10`}
          value={automatic ? AUTOMATIC : choice.expiration}
          onChange={(event) => {
            const picked = EXPIRATIONS.find((expiration) => expiration === event.target.value);
            onChoice({ expiration: picked ?? DEFAULT_EXPIRATION, expirationChosen: picked !== undefined });
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
        </select>
        <ChevronDown size={18} aria-hidden className="pointer-events-none absolute top-3.5 right-3.5 text-muted" />
      </div>
    </div>
  );
}
