import { useMutation } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { requestsApi } from "./requests-api.ts";
import { useRefreshRequests } from "./use-refresh-requests.ts";

/** @returns opens a closed request again */
export function useReopen({ id }: ListedUploadRequest): () => void {
  const t = useMessages("requests");
  const refresh = useRefreshRequests();
  const { mutate } = useMutation({
    mutationFn: () => requestsApi.change(id, { closed: false }),
    onSuccess: async () => {
      await refresh();
      toast({ title: t("reopened"), description: t("reopenedHelp") });
    },
    onError: errorToast(t("changeFailed"), t("tryAgain")),
  });
  return () => {
    mutate();
  };
}
