import { useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

interface DeleteReceivedProps {
  transfer: ReceivedTransfer;
  onClose(): void;
}

export default function DeleteReceived({ transfer, onClose }: DeleteReceivedProps) {
  const { id, title, entries, link } = transfer;
  const t = useMessages("received");
  const queries = useQueryClient();
  const refresh = useRefreshRequests();
  const { mutate, isPending } = useMutation({
    mutationFn: () => requestsApi.removeReceived(id),
    onSuccess: async () => {
      await Promise.all([refresh(), queries.invalidateQueries({ queryKey: queryKeys.files })]);
      toast({ title: t("deleted"), description: t("deletedHelp", { title }) });
      onClose();
    },
    onError: errorToast(t("deleteFailed"), t("tryAgain")),
  });
  return (
    <Question
      title={t("deleteQuestion")}
      text={t(link === null ? "deleteWarning" : "deleteWarningLink", { title, count: entries })}
      yes={t("deleteYes")}
      no={t("keep")}
      isBusy={isPending}
      onYes={() => mutate()}
      onClose={onClose}
    />
  );
}
