import { useId, type ReactNode } from "react";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FormCheckbox, FormField, FormTextArea, controlClass, FieldFrame } from "#app/ui/form-field.tsx";
import type { Locale } from "#domain/locale.ts";
import { REQUEST_NOTICES } from "#domain/notices/when-mailed.ts";
import { expirationOptions, limitFor, type PlanId } from "#domain/plans.ts";
import { MOST_ORIGINS, DEFAULT_REQUEST_LIFETIME, REQUEST_LIFETIMES } from "#domain/requests/limits.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";

interface MoreFieldsProps {
  /** Null for a new request. */
  request: ListedUploadRequest | null;
  /** Errors by field name. */
  errors: Record<string, string>;
}

/** The fields that most people leave unchanged. */
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
        // Visible, because the password is shared with others and is not the account's.
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

interface SelectProps {
  /** Null for a new request. */
  request: ListedUploadRequest | null;
}

/** The field `expiresIn`: how long a request accepts files. "" leaves the end unchanged. */
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

/** The field `keepFor`: how long received files are kept. Times that the plan does not allow are disabled. */
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

function FormSelect({ name, label, value, children }: FormSelectProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label}>
      <select id={id} name={name} defaultValue={value} className={controlClass}>
        {children}
      </select>
    </FieldFrame>
  );
}

/** The size limits of a request as text in the form's fields. */
export function typedSizes(request: ListedUploadRequest | null, locale: Locale) {
  const write = (bytes: number | null | undefined) => (bytes == null ? "" : formatBytes(bytes, locale));
  return { mostBytes: write(request?.mostBytes), mostFileBytes: write(request?.mostFileBytes) };
}
