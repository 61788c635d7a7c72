import { useMessages } from "#app/lib/i18n/messages.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
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
  return (
    <ActionQuestion
      title={t(isDeletion ? "deleteQuestion" : "closeQuestion")}
      text={t(isDeletion ? "deleteWarning" : "closeWarning", { title })}
      yes={t(isDeletion ? "deleteYes" : "closeYes")}
      no={t(isDeletion ? "keepIt" : "cancel")}
      look={isDeletion ? "danger" : "primary"}
      onError={errorToast(t(isDeletion ? "deleteFailed" : "changeFailed"), t("tryAgain"))}
      run={async () => {
        await (isDeletion ? requestsApi.remove(id) : requestsApi.change(id, { closed: true }));
        await refresh();
        toast({ title: t(isDeletion ? "deleted" : "closed") });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
