import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { changeKeyForm, type ListedKey } from "#domain/wire.ts";
import { useAccountForm } from "../use-account-form.ts";
import { keysApi } from "./keys-api.ts";
import { LimitFields, mbOf } from "./limit-fields.tsx";

interface ChangeKeyProps {
  apiKey: ListedKey;
  onSaved(): Promise<void>;
  onClose(): void;
}

/** Changes a key's name and limits. */
export function ChangeKey({ apiKey, onSaved, onClose }: ChangeKeyProps) {
  const t = useMessages("apiKeys");
  const { errors, busy, onSubmit } = useAccountForm(changeKeyForm, {
    onError: errorToast(t("saveFailed"), t("tryAgain")),
    send: async ({ name, limits }) => {
      await keysApi.change(apiKey.id, { name, limits: { ...limits, ...unchangedSizes(apiKey.limits, limits) } });
      toast({ title: t("saved") });
      await onSaved();
    },
  });
  return (
    <Dialog title={t("changeTitle")} description={t("changeHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField label={t("name")} name="name" autoComplete="off" defaultValue={apiKey.name} error={errors.name} />
        <LimitFields limits={apiKey.limits} errors={errors} />
        <Button type="submit" busy={busy}>
          {t(busy ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}

/** A size that still reads the same stays to the byte. */
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
