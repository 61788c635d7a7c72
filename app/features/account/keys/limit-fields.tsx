import { useMessages } from "#app/lib/i18n/messages.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { KEY_CALLS_PER_MINUTE } from "#domain/api-keys.ts";
import { MIB } from "#domain/units.ts";
import type { ListedKey } from "#domain/wire.ts";

interface LimitFieldsProps {
  /** Absent for a new key. */
  limits?: ListedKey["limits"];
  /** By field. */
  errors: Record<string, string>;
}

/** The limits of a key. Sizes are in MB. */
export function LimitFields({ limits, errors }: LimitFieldsProps) {
  const t = useMessages("apiKeys");
  const number = { inputMode: "numeric", autoComplete: "off" } as const;
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">{t("limitsHint")}</p>
      <FormField
        label={t("callsPerMinute")}
        name="callsPerMinute"
        defaultValue={limits?.callsPerMinute ?? KEY_CALLS_PER_MINUTE}
        error={errors.callsPerMinute && t("callsWrong", { most: KEY_CALLS_PER_MINUTE })}
        {...number}
      />
      <FormField
        label={t("monthMb")}
        name="monthMb"
        defaultValue={mbOf(limits?.monthBytes)}
        error={errors.monthMb && t("mbWrong")}
        {...number}
      />
      <FormField
        label={t("largestFileMb")}
        name="largestFileMb"
        defaultValue={mbOf(limits?.largestFileBytes)}
        error={errors.largestFileMb && t("mbWrong")}
        {...number}
      />
    </div>
  );
}

/** As the fields show it: a call may have set a limit that is no whole number of MB. */
export function mbOf(bytes: number | null = null): string {
  return bytes === null ? "" : String(Math.max(1, Math.round(bytes / MIB)));
}
