import { useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/question.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedKey } from "#domain/wire.ts";
import { keysApi } from "./keys-api.ts";

interface RevokeKeyProps {
  apiKey: ListedKey;
  onRevoked(): Promise<void>;
  onClose(): void;
}

export function RevokeKey({ apiKey, onRevoked, onClose }: RevokeKeyProps) {
  const t = useMessages("apiKeys");
  const revoke = useMutation({
    mutationFn: () => keysApi.revoke(apiKey.id),
    onSuccess: async () => {
      toast({ title: t("revoked") });
      await onRevoked();
    },
    onError: errorToast(t("revokeFailed"), t("tryAgain")),
  });
  return (
    <Question
      title={t("revokeTitle")}
      text={t("revokeText", { name: apiKey.name })}
      yes={t("revokeYes")}
      no={t("cancel")}
      isBusy={revoke.isPending}
      onYes={() => {
        revoke.mutate();
      }}
      onClose={onClose}
    />
  );
}
