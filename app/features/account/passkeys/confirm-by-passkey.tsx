import { useMutation } from "@tanstack/react-query";
import { securityApi } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { passkeyMessage, useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import { askForPasskey } from "./browser.ts";

/** In the dialog that confirms. */
export function ConfirmByPasskey({ onConfirmed }: { onConfirmed(): void }) {
  const t = useMessages("security");
  const isKnown = useKnowsPasskeys();
  const confirm = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey("confirm");
      if (passkey) await securityApi.confirm({ passkey });
      return passkey !== null;
    },
    onSuccess: (isConfirmed) => {
      if (isConfirmed) onConfirmed();
    },
  });
  if (!isKnown) return <p>{t("passkeyNeedsBrowser")}</p>;
  return (
    <div className="grid gap-2">
      {confirm.error && (
        <p role="alert" className="text-sm">
          {passkeyMessage(confirm.error, t("confirmFailed"))}
        </p>
      )}
      <Button
        busy={confirm.isPending}
        onClick={() => {
          confirm.mutate();
        }}
      >
        {t(confirm.isPending ? "confirming" : "confirmByPasskey")}
      </Button>
    </div>
  );
}
