import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";

const queryKey = ["/api/previews"];

/** Chooses whether previews of the account's links in chats show a picture. Each choice is saved at once. */
export function LinkPreviews() {
  const t = useMessages("account");
  const id = useId();
  const queries = useQueryClient();
  const { data } = useQuery({ queryKey, queryFn: () => call("GET /api/previews") });
  const save = useMutation({
    // Mutations in one scope run one after the other, so that the last choice wins.
    scope: { id: "previews" },
    mutationFn: (showsPicture: boolean) => call("PATCH /api/previews", { body: { showsPicture } }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
    onError: errorToast(t("updateFailed"), t("previewsFailedHelp")),
  });
  const isChecked = save.isPending ? save.variables : (data?.showsPicture ?? true);
  return (
    <Card>
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 className="text-lg font-medium">{t("previews")}</h2>
        <p role="status" className="shrink-0 text-sm font-medium text-reed">
          {save.isSuccess && t("previewsSaved")}
        </p>
      </div>
      <div className="flex gap-3">
        <input
          id={id}
          type="checkbox"
          aria-describedby={`${id}-help`}
          className="mt-0.5 size-5 shrink-0 accent-(--reed)"
          checked={isChecked}
          disabled={data === undefined}
          onChange={({ target }) => save.mutate(target.checked)}
        />
        <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer">
          <span className="block font-medium">{t("previewsShow")}</span>
          <span id={`${id}-help`} className="block text-sm text-muted">
            {t("previewsHelp")}
          </span>
        </label>
      </div>
    </Card>
  );
}
