import { useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

interface RequestQuestionProps {
  kind: "close" | "delete";
  request: ListedUploadRequest;
  onClose(): void;
}

/** Asks before a request is closed or deleted. */
export default function RequestQuestion({ kind, request: { id, title }, onClose }: RequestQuestionProps) {
  const t = useMessages("requests");
  const refresh = useRefreshRequests();
  const isDeletion = kind === "delete";
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      await (isDeletion ? requestsApi.remove(id) : requestsApi.change(id, { closed: true }));
    },
    onSuccess: async () => {
      await refresh();
      toast({ title: t(isDeletion ? "deleted" : "closed") });
      onClose();
    },
    onError: errorToast(t(isDeletion ? "deleteFailed" : "changeFailed"), t("tryAgain")),
  });
  return (
    <Question
      title={t(isDeletion ? "deleteQuestion" : "closeQuestion")}
      text={t(isDeletion ? "deleteWarning" : "closeWarning", { title })}
      yes={t(isDeletion ? "deleteYes" : "closeYes")}
      no={t(isDeletion ? "keepIt" : "cancel")}
      look={isDeletion ? "danger" : "primary"}
      isBusy={isPending}
      onYes={() => mutate()}
      onClose={onClose}
    />
  );
}
