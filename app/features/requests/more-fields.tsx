import { useMessages } from "#app/lib/i18n/messages.ts";
import { FormCheckbox } from "#app/ui/form-checkbox.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { REQUEST_NOTICES } from "#domain/notices/choices.ts";
import { MOST_ORIGINS } from "#domain/requests/limits.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { FormSelect } from "./lifetime-selects.tsx";
import { typedSizes } from "./typed-sizes.ts";

interface MoreFieldsProps {
  /** Null for a new one. */
  request: ListedUploadRequest | null;
  /** By field. */
  errors: Record<string, string>;
}

/** What most people leave as it is. */
export function MoreFields({ request, errors }: MoreFieldsProps) {
  const t = useMessages("requests");
  const sizes = typedSizes(request, t.locale);
  const off = { autoComplete: "off" } as const;
  return (
    <>
      <FormField
        label={`${t("limits")}: ${t("mostBytes")}`}
        hint={t("mostBytesHint")}
        name="mostBytes"
        defaultValue={sizes.mostBytes}
        error={errors.mostBytes && t("sizeWrong")}
        {...off}
      />
      <FormField
        label={`${t("limits")}: ${t("mostFileBytes")}`}
        hint={t("sizeHint")}
        name="mostFileBytes"
        defaultValue={sizes.mostFileBytes}
        error={errors.mostFileBytes && t("sizeWrong")}
        {...off}
      />
      <FormField
        label={t("mostTransfers")}
        hint={t("mostTransfersHint")}
        name="mostTransfers"
        inputMode="numeric"
        defaultValue={request?.mostTransfers ?? ""}
        error={errors.mostTransfers && t("countWrong")}
        {...off}
      />
      <FormField
        label={t("kinds")}
        hint={t("kindsHint")}
        name="kinds"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={request?.kinds?.join(", ")}
        error={errors.kinds && t("kindsWrong")}
        {...off}
      />
      <FormField
        label={t(request?.hasPassword ? "passwordNow" : "password")}
        hint={t(request?.hasPassword ? "passwordNowHint" : "passwordHint")}
        name="password"
        // It is told to others, and not the password of an account.
        type="text"
        autoCapitalize="none"
        spellCheck={false}
        translate="no"
        error={errors.password}
        {...off}
      />
      {request?.hasPassword && <FormCheckbox name="removePassword">{t("removePassword")}</FormCheckbox>}
      <FormSelect name="notify" label={t("notify")} value={request?.notify ?? "each"}>
        {REQUEST_NOTICES.map((notice) => (
          <option key={notice} value={notice}>
            {t(`notify_${notice}`)}
          </option>
        ))}
      </FormSelect>
      <FormTextArea
        label={t("origins")}
        hint={t("originsHint")}
        name="origins"
        rows={2}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        translate="no"
        defaultValue={request?.origins.join("\n")}
        error={errors.origins && t("originsWrong", { most: MOST_ORIGINS })}
        {...off}
      />
    </>
  );
}
