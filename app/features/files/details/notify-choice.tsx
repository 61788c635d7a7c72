import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { controlClass, FieldFrame, fieldAttributes } from "#app/ui/form-field.tsx";
import { recipientsApi, recipientsKey } from "#app/ui/sharing/recipients-api.ts";
import { DOWNLOAD_NOTICES, type DownloadNotice } from "#domain/notices/when-mailed.ts";
import type { RecipientsAnswer } from "#domain/wire.ts";

interface NotifyChoiceProps {
  fileId: string;
  loaded: RecipientsAnswer;
  /** The account's setting, which holds for links without a choice of their own. */
  accountNotify: DownloadNotice;
}

/** Chooses when the owner gets mail about downloads of this link. Each choice is saved at once. */
export function NotifyChoice({ fileId, loaded, accountNotify }: NotifyChoiceProps) {
  const t = useMessages("ownFile");
  const tNotices = useMessages("notices");
  const id = useId();
  const queries = useQueryClient();
  const queryKey = recipientsKey(fileId);
  const { data } = useQuery({ queryKey, queryFn: () => recipientsApi.list(fileId), initialData: loaded });
  const save = useMutation({
    mutationFn: (notify: DownloadNotice | null) => recipientsApi.notify(fileId, notify),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
    onError: errorToast(t("saveFailed"), t("tryAgain")),
  });
  const chosen = save.isPending ? save.variables : data.notify;
  const hint = (
    <>
      {chosen === null ? t("notifyHelpAccount", { choice: tNotices(accountNotify) }) : t("notifyHelp")}{" "}
      <span role="status">{save.isSuccess && <span className="text-reed">{t("saved")}</span>}</span>
    </>
  );
  return (
    <Card>
      <FieldFrame id={id} label={t("notify")} hint={hint}>
        <select
          {...fieldAttributes(id, hint, undefined)}
          className={controlClass}
          value={chosen ?? ""}
          onChange={({ target }) => save.mutate(DOWNLOAD_NOTICES.find((choice) => choice === target.value) ?? null)}
        >
          <option value="">{t("asAccount")}</option>
          {DOWNLOAD_NOTICES.map((choice) => (
            <option key={choice} value={choice}>
              {tNotices(choice)}
            </option>
          ))}
        </select>
      </FieldFrame>
    </Card>
  );
}
