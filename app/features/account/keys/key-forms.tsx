import { useState, useId } from "react";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormCheckbox, FormChoices, FieldFrame, FormField, controlClass } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { Unfold } from "#app/ui/unfold.tsx";
import { KEY_SCOPES, DEFAULT_KEY_LIFETIME, KEY_LIFETIMES, KEY_CALLS_PER_MINUTE } from "#domain/api-keys.ts";
import { MIB } from "#domain/units.ts";
import { makeKeyForm, type MadeKey, changeKeyForm, type ListedKey } from "#domain/wire.ts";
import { useAccountForm } from "../use-account-form.ts";

export function MakeKey({ onMade, onClose }: { onMade(key: MadeKey): Promise<void>; onClose(): void }) {
  const t = useMessages("apiKeys");
  const [isUnfolded, setUnfolded] = useState(false);
  const { field, ...form } = useAccountForm(makeKeyForm, {
    onError: errorToast(t("makeFailed"), t("tryAgain")),
    // Unfolds the limits if a limit is invalid, so that the person sees the error.
    onInvalid: (invalid) => {
      if ("callsPerMinute" in invalid || "monthMb" in invalid || "largestFileMb" in invalid) setUnfolded(true);
    },
    send: async (values) => {
      await onMade(await callConfirmed("POST /api/keys", { body: values }));
    },
  });
  return (
    <FormDialog
      title={t("makeTitle")}
      description={t("makeHelp")}
      button={[t("makeIt"), t("making")]}
      onClose={onClose}
      {...form}
    >
      <FormField label={t("name")} hint={t("nameHint")} autoComplete="off" {...field("name")} />
      <FormChoices legend={t("scopes")} error={form.errors.scopes}>
        {KEY_SCOPES.map((scope) => (
          <FormCheckbox key={scope} name={scope} defaultChecked={scope === "upload"}>
            {t(scope)}
          </FormCheckbox>
        ))}
      </FormChoices>
      <LifetimeSelect />
      <Unfold title={t("more")} open={isUnfolded} onToggle={setUnfolded}>
        <div className="mt-2 grid gap-4">
          <LimitFields errors={form.errors} />
          <div>
            <FormCheckbox name="browserUse">{t("browserUse")}</FormCheckbox>
            <p className="text-sm text-muted">{t("browserWarning")}</p>
          </div>
        </div>
      </Unfold>
    </FormDialog>
  );
}

/** Chooses how long a new key is valid, in the form field `expiresIn`. */
function LifetimeSelect() {
  const t = useMessages("apiKeys");
  const id = useId();
  const [lifetime, setLifetime] = useState<string>(DEFAULT_KEY_LIFETIME);
  return (
    <FieldFrame id={id} label={t("expiry")}>
      <select
        id={id}
        name="expiresIn"
        aria-describedby={`${id}-warning`}
        value={lifetime}
        className={controlClass}
        onChange={({ target }) => setLifetime(target.value)}
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
    </FieldFrame>
  );
}

interface ChangeKeyProps {
  apiKey: ListedKey;
  onSaved(): Promise<void>;
  onClose(): void;
}

export function ChangeKey({ apiKey, onSaved, onClose }: ChangeKeyProps) {
  const t = useMessages("apiKeys");
  const { field, ...form } = useAccountForm(changeKeyForm, {
    onError: errorToast(t("saveFailed"), t("tryAgain")),
    send: async ({ name, limits }) => {
      await call("PATCH /api/keys/:id", {
        params: { id: apiKey.id },
        body: { name, limits: { ...limits, ...unchangedSizes(apiKey.limits, limits) } },
      });
      toast({ title: t("saved") });
      await onSaved();
    },
  });
  return (
    <FormDialog
      title={t("changeTitle")}
      description={t("changeHelp")}
      button={[t("save"), t("saving")]}
      onClose={onClose}
      {...form}
    >
      <FormField label={t("name")} autoComplete="off" defaultValue={apiKey.name} {...field("name")} />
      <LimitFields limits={apiKey.limits} errors={form.errors} />
    </FormDialog>
  );
}

/** @returns the exact bytes of limits whose MB in the form are unchanged, because the form rounds to MB */
function unchangedSizes(
  before: ListedKey["limits"],
  typed: Pick<ListedKey["limits"], "monthBytes" | "largestFileBytes">,
) {
  return {
    ...(mbOf(before.monthBytes) === mbOf(typed.monthBytes) && { monthBytes: before.monthBytes }),
    ...(mbOf(before.largestFileBytes) === mbOf(typed.largestFileBytes) && {
      largestFileBytes: before.largestFileBytes,
    }),
  };
}

interface LimitFieldsProps {
  /** Absent for a new key, which gets the default limits. */
  limits?: ListedKey["limits"];
  /** Error messages by field name. */
  errors: Record<string, string>;
}

/** The form fields of a key's limits. Sizes are in MB. */
function LimitFields({ limits, errors }: LimitFieldsProps) {
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

/**
 * @returns the limit in whole MB for the form, "" without one. Rounds, because a limit that a program set through the
 * API may be any number of bytes.
 */
function mbOf(bytes: number | null = null): string {
  return bytes === null ? "" : String(Math.max(1, Math.round(bytes / MIB)));
}
