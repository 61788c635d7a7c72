import { useQueryClient } from "@tanstack/react-query";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

interface ReceivedQuestionProps {
  kind: "make-link" | "delete";
  transfer: ReceivedTransfer;
  /** Called when a link was made. */
  onMade(transfer: ReceivedTransfer): void;
  onClose(): void;
}

/** Asks before a received transfer is deleted, or before a public link to the transfer is made. */
export default function ReceivedQuestion({ kind, transfer, onMade, onClose }: ReceivedQuestionProps) {
  const { id, title, entries, link } = transfer;
  const t = useMessages("received");
  const queries = useQueryClient();
  const refresh = useRefreshRequests();
  if (kind === "make-link") {
    return (
      <ActionQuestion
        title={t("linkQuestion")}
        text={t("linkWarning", { title })}
        yes={t("linkYes")}
        no={t("cancel")}
        look="primary"
        onError={errorToast(t("linkFailed"), t("tryAgain"))}
        run={async () => {
          const made = await requestsApi.makeLink(id);
          await refresh();
          onMade(made);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <ActionQuestion
      title={t("deleteQuestion")}
      text={t(link === null ? "deleteWarning" : "deleteWarningLink", { title, count: entries })}
      yes={t("deleteYes")}
      no={t("keep")}
      onError={errorToast(t("deleteFailed"), t("tryAgain"))}
      run={async () => {
        await requestsApi.removeReceived(id);
        await Promise.all([refresh(), queries.invalidateQueries({ queryKey: queryKeys.files })]);
        toast({ title: t("deleted"), description: t("deletedHelp", { title }) });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
