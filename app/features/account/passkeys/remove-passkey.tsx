import { useMutation } from "@tanstack/react-query";
import { securityApi } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/question.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedPasskey } from "#domain/wire.ts";
import { signalPasskeys } from "./browser.ts";

interface RemovePasskeyProps {
  passkey: ListedPasskey;
  /** What gets the focus once the passkey's row is gone. */
  focusAfter(): HTMLElement | null;
  onRemoved(): Promise<void>;
  onClose(): void;
}

export function RemovePasskey({ passkey: { id, name }, focusAfter, onRemoved, onClose }: RemovePasskeyProps) {
  const t = useMessages("security");
  const remove = useMutation({
    mutationFn: () => securityApi.removePasskey(id),
    onSuccess: async (left) => {
      signalPasskeys(left);
      toast({ title: t("passkeyRemovedNow") });
      await onRemoved();
    },
    onError: errorToast(t("removePasskeyFailed"), t("passkeyTryAgain")),
  });
  return (
    <Question
      title={t("removePasskeyTitle")}
      text={t("removePasskeyText", { name })}
      yes={t("removePasskey")}
      no={t("passkeyCancel")}
      isBusy={remove.isPending}
      focusAfter={focusAfter}
      onYes={() => {
        remove.mutate();
      }}
      onClose={onClose}
    />
  );
}
