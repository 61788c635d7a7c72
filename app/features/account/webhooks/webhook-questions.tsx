import { useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/question.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedWebhook } from "#domain/wire.ts";
import { webhooksApi } from "./webhooks-api.ts";

interface RotateSecretProps {
  webhook: ListedWebhook;
  onSecret(secret: string): Promise<void>;
  onClose(): void;
}

export function RotateSecret({ webhook, onSecret, onClose }: RotateSecretProps) {
  const t = useMessages("webhooks");
  const rotate = useMutation({
    mutationFn: () => webhooksApi.rotate(webhook.id),
    onSuccess: ({ secret }) => onSecret(secret),
    onError: errorToast(t("rotateFailed"), t("tryAgain")),
  });
  return (
    <Question
      title={t("rotateTitle")}
      text={t("rotateText")}
      yes={t("rotateYes")}
      no={t("cancel")}
      look="primary"
      isBusy={rotate.isPending}
      onYes={() => {
        rotate.mutate();
      }}
      onClose={onClose}
    />
  );
}

interface DeleteWebhookProps {
  webhook: ListedWebhook;
  onDeleted(): Promise<void>;
  onClose(): void;
}

export function DeleteWebhook({ webhook, onDeleted, onClose }: DeleteWebhookProps) {
  const t = useMessages("webhooks");
  const remove = useMutation({
    mutationFn: () => webhooksApi.remove(webhook.id),
    onSuccess: async () => {
      toast({ title: t("removed") });
      await onDeleted();
    },
    onError: errorToast(t("removeFailed"), t("tryAgain")),
  });
  return (
    <Question
      title={t("removeTitle")}
      text={t("removeText", { url: webhook.url })}
      yes={t("removeYes")}
      no={t("cancel")}
      isBusy={remove.isPending}
      onYes={() => {
        remove.mutate();
      }}
      onClose={onClose}
    />
  );
}
