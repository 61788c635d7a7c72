import { useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/dialog.tsx";
import type { ReceivedTransfer } from "#domain/wire.ts";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

interface MakeLinkProps {
  transfer: ReceivedTransfer;
  onMade(transfer: ReceivedTransfer): void;
  onClose(): void;
}

/** Asks before others may download what was sent to one person. */
export default function MakeLink({ transfer: { id, title }, onMade, onClose }: MakeLinkProps) {
  const t = useMessages("received");
  const refresh = useRefreshRequests();
  const { mutate, isPending } = useMutation({
    mutationFn: () => requestsApi.makeLink(id),
    onSuccess: async (made) => {
      await refresh();
      onMade(made);
    },
    onError: errorToast(t("linkFailed"), t("tryAgain")),
  });
  return (
    <Question
      title={t("linkQuestion")}
      text={t("linkWarning", { title })}
      yes={t("linkYes")}
      no={t("cancel")}
      look="primary"
      isBusy={isPending}
      onYes={() => mutate()}
      onClose={onClose}
    />
  );
}
