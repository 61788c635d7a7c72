import { useId, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useMoment } from "#app/lib/use-moment.ts";
import { controlClass, FieldFrame } from "#app/ui/form-field.tsx";
import { expirationOptions, limitFor, type PlanId } from "#domain/plans.ts";
import { DEFAULT_REQUEST_LIFETIME, REQUEST_LIFETIMES } from "#domain/requests/limits.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";

interface SelectProps {
  /** Null for a new one. */
  request: ListedUploadRequest | null;
}

/** How long a request is open, as the field `expiresIn`. "" leaves it as it is. */
export function ExpiresInSelect({ request }: SelectProps) {
  const t = useMessages("requests");
  const writeMoment = useMoment();
  const end = request?.expiresAt ? writeMoment(request.expiresAt) : t("expires_never");
  return (
    <FormSelect name="expiresIn" label={t("expiresIn")} value={request ? "" : DEFAULT_REQUEST_LIFETIME}>
      {request && <option value="">{t("expiresUnchanged", { end })}</option>}
      {REQUEST_LIFETIMES.map((lifetime) => (
        <option key={lifetime} value={lifetime}>
          {t(`expires_${lifetime}`)}
        </option>
      ))}
    </FormSelect>
  );
}

/** How long what comes is kept, as the field `keepFor`. What the plan does not allow is disabled. */
export function KeepForSelect({ request, plan }: SelectProps & { plan: PlanId }) {
  const t = useMessages("requests");
  const tExpiration = useMessages("expirations");
  return (
    <FormSelect name="keepFor" label={t("keepFor")} value={request?.keepFor ?? limitFor(plan).longestExpiration}>
      {expirationOptions(plan).map(({ value, requiredPlan }) => (
        <option key={value} value={value} disabled={requiredPlan !== null && value !== request?.keepFor}>
          {requiredPlan
            ? t("lockedExpiration", { expiration: tExpiration(value), plan: requiredPlan.name })
            : tExpiration(value)}
        </option>
      ))}
    </FormSelect>
  );
}

interface FormSelectProps {
  name: string;
  label: string;
  value: string;
  children: ReactNode;
}

export function FormSelect({ name, label, value, children }: FormSelectProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label}>
      <select id={id} name={name} defaultValue={value} className={controlClass}>
        {children}
      </select>
    </FieldFrame>
  );
}
