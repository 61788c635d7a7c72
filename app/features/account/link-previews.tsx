import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import type { PreviewSettings } from "#domain/wire.ts";

/** Chooses whether previews of the account's links in chats show a picture. Each choice is saved at once. */
export function LinkPreviews({ loaded }: { loaded: PreviewSettings }) {
  const t = useMessages("account");
  const id = useId();
  const save = useMutation({
    // Mutations in one scope run one after the other, so that the last choice wins.
    scope: { id: "previews" },
    mutationFn: (showsPicture: boolean) => call("PATCH /api/previews", { body: { showsPicture } }),
    onError: errorToast(t("updateFailed"), t("previewsFailedHelp")),
  });
  const saved = save.data ?? loaded;
  const isChecked = save.isPending ? save.variables : saved.showsPicture;
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
