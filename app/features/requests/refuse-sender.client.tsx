import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormCheckbox, FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import type { ReceivedTransfer } from "#domain/wire.ts";
import { requestsApi, useRefreshRequests } from "./requests-api.ts";

/** Deletes a received transfer and reports its sender. The person may also close the request. */
export default function RefuseSender({ transfer, onClose }: { transfer: ReceivedTransfer; onClose(): void }) {
  const { id, title, requestTitle } = transfer;
  const t = useMessages("received");
  const queries = useQueryClient();
  const refresh = useRefreshRequests();
  const [closesRequest, setClosesRequest] = useState(false);
  const [reason, setReason] = useState("");
  const { mutate, isPending } = useMutation({
    mutationFn: () => requestsApi.refuse(id, { what: closesRequest ? "request" : "transfer", reason }),
    onSuccess: async () => {
      await Promise.all([refresh(), queries.invalidateQueries({ queryKey: queryKeys.files })]);
      toast({ title: t("refused"), description: t(closesRequest ? "refusedAndClosed" : "refusedHelp") });
      onClose();
    },
    onError: errorToast(t("refuseFailed"), t("tryAgain")),
  });
  return (
    <Dialog title={t("refuseQuestion")} description={t("refuseHelp", { title })} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          mutate();
        }}
      >
        <FormTextArea
          label={t("reason")}
          hint={t("reasonHint")}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {requestTitle !== null && (
          <FormCheckbox checked={closesRequest} onChange={({ target }) => setClosesRequest(target.checked)}>
            {t("refuseRequest")}
          </FormCheckbox>
        )}
        <div className="grid grid-cols-2 gap-3">
          <Button look="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button look="danger" type="submit" busy={isPending}>
            {t(isPending ? "refusing" : "refuseYes")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
