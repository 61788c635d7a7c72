import { useMutation } from "@tanstack/react-query";
import { accountApi } from "#app/features/account/account-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import type { CurrentUser } from "#domain/wire.ts";
import { askForPasskey } from "./browser.ts";

interface PasskeyStepProps {
  /** Whether this device is not to be asked again. */
  isTrusted(): boolean;
  onSuccess(user: CurrentUser): void;
}

/** A passkey as the second factor of a sign-in. Nothing in a browser without passkeys. */
export function PasskeyStep({ isTrusted, onSuccess }: PasskeyStepProps) {
  const t = useMessages("signIn");
  const isShown = useKnowsPasskeys();
  const step = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey("second-factor");
      return passkey && (await accountApi.secondFactor({ passkey, trustDevice: isTrusted() })).user;
    },
    onSuccess: (user) => {
      if (user) onSuccess(user);
    },
  });
  if (!isShown) return null;
  return (
    <div className="grid gap-2">
      {step.error && (
        <p role="alert" className="text-sm text-danger">
          {passkeyMessage(step.error, t("passkeyFailed"))}
        </p>
      )}
      <Button
        look="quiet"
        wide
        busy={step.isPending}
        onClick={() => {
          step.mutate();
        }}
      >
        {t(step.isPending ? "loggingIn" : "withPasskey")}
      </Button>
    </div>
  );
}
