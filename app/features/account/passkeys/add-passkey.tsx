import { describeDevice } from "#app/features/account/describe-device.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { useAccountForm } from "#app/features/account/use-account-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAtWork } from "#app/lib/use-at-work.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { changePasskeyRequest } from "#domain/wire.ts";
import { createPasskey } from "./browser.ts";

interface AddPasskeyProps {
  onAdded(): Promise<void>;
  onClose(): void;
}

export function AddPasskey({ onAdded, onClose }: AddPasskeyProps) {
  const t = useMessages("security");
  const tAccount = useMessages("account");
  const { errors, busy, onSubmit } = useAccountForm(changePasskeyRequest, {
    onError: errorToast(t("addPasskeyFailed"), t("passkeyTryAgain")),
    send: async ({ name }) => {
      const credential = await createPasskey(await securityApi.newPasskeyOptions());
      if (credential === "known") {
        toast({ title: t("addPasskeyFailed"), description: t("passkeyKnown"), tone: "bad" });
        return;
      }
      if (!credential) return;
      await securityApi.addPasskey({ name, credential });
      toast({ title: t("passkeyAddedNow") });
      await onAdded();
    },
  });
  const isAtWork = useAtWork(busy);
  return (
    <Dialog title={t("addPasskey")} description={t("addPasskeyHelp")} onClose={onClose}>
      <form className="grid gap-4" noValidate onSubmit={onSubmit}>
        <FormField
          label={t("passkeyName")}
          name="name"
          autoComplete="off"
          defaultValue={describeDevice(navigator.userAgent, tAccount)}
          error={errors.name}
        />
        <Button type="submit" busy={isAtWork}>
          {t(isAtWork ? "working" : "addPasskeyNow")}
        </Button>
      </form>
    </Dialog>
  );
}
