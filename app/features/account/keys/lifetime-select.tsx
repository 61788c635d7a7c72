import { useId, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { controlClass } from "#app/ui/form-field.tsx";
import { DEFAULT_KEY_LIFETIME, KEY_LIFETIMES } from "#domain/api-keys.ts";

/** How long a new key works, as the field `expiresIn`. */
export function LifetimeSelect() {
  const t = useMessages("apiKeys");
  const id = useId();
  const [lifetime, setLifetime] = useState<string>(DEFAULT_KEY_LIFETIME);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {t("expiry")}
      </label>
      <select
        id={id}
        name="expiresIn"
        aria-describedby={`${id}-warning`}
        value={lifetime}
        className={controlClass}
        onChange={({ target }) => {
          setLifetime(target.value);
        }}
      >
        {KEY_LIFETIMES.map((option) => (
          <option key={option} value={option}>
            {t(`expiry_${option}`)}
          </option>
        ))}
      </select>
      <p id={`${id}-warning`} role="status" className="text-sm text-danger">
        {lifetime === "never" && t("neverWarning")}
      </p>
    </div>
  );
}
