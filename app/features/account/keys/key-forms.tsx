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
    // A wrong limit must be in sight.
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

/** How long a new key works, as the field `expiresIn`. */
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

/** Changes a key's name and limits. */
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

/** Leaves out sizes whose fields still show the same, so that they stay to the byte. */
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
  /** Absent for a new key. */
  limits?: ListedKey["limits"];
  /** By field. */
  errors: Record<string, string>;
}

/** The limits of a key. Sizes are in MB. */
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

/** The limit as the field shows it: a call may have set one that is no whole number of MB. */
function mbOf(bytes: number | null = null): string {
  return bytes === null ? "" : String(Math.max(1, Math.round(bytes / MIB)));
}
