import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAtWork } from "#app/lib/use-at-work.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox } from "#app/ui/form-checkbox.tsx";
import { FormChoices, FormField } from "#app/ui/form-field.tsx";
import { Unfold } from "#app/ui/unfold.tsx";
import { KEY_SCOPES } from "#domain/api-keys.ts";
import { makeKeyForm, type MadeKey } from "#domain/wire.ts";
import { useAccountForm } from "../use-account-form.ts";
import { keysApi } from "./keys-api.ts";
import { LifetimeSelect } from "./lifetime-select.tsx";
import { LimitFields } from "./limit-fields.tsx";

interface MakeKeyProps {
  onMade(key: MadeKey): Promise<void>;
  onClose(): void;
}

export function MakeKey({ onMade, onClose }: MakeKeyProps) {
  const t = useMessages("apiKeys");
  const [isUnfolded, setUnfolded] = useState(false);
  const { errors, busy, onSubmit } = useAccountForm(makeKeyForm, {
    onError: errorToast(t("makeFailed"), t("tryAgain")),
    // A wrong limit must be in sight.
    onInvalid: (invalid) => {
      if ("callsPerMinute" in invalid || "monthMb" in invalid || "largestFileMb" in invalid) setUnfolded(true);
    },
    send: async (values) => {
      await onMade(await keysApi.make(values));
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Dialog title={t("makeTitle")} description={t("makeHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField label={t("name")} hint={t("nameHint")} name="name" autoComplete="off" error={errors.name} />
        <FormChoices legend={t("scopes")} error={errors.scopes}>
          {KEY_SCOPES.map((scope) => (
            <FormCheckbox key={scope} name={scope} defaultChecked={scope === "upload"}>
              {t(scope)}
            </FormCheckbox>
          ))}
        </FormChoices>
        <LifetimeSelect />
        <Unfold title={t("more")} open={isUnfolded} onToggle={setUnfolded}>
          <div className="mt-2 grid gap-4">
            <LimitFields errors={errors} />
            <div>
              <FormCheckbox name="browserUse">{t("browserUse")}</FormCheckbox>
              <p className="text-sm text-muted">{t("browserWarning")}</p>
            </div>
          </div>
        </Unfold>
        <Button type="submit" busy={isAtWork}>
          {t(isAtWork ? "making" : "makeIt")}
        </Button>
      </form>
    </Dialog>
  );
}
