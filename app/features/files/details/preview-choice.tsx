import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { controlClass, FieldFrame, fieldAttributes } from "#app/ui/form-field.tsx";
import { filesApi } from "../files-api.ts";

interface PreviewChoiceProps {
  fileId: string;
  /** Undefined for a link without a choice of its own. */
  showsPicture: boolean | undefined;
  /** The account's setting, which holds for links without a choice of their own. */
  accountShowsPicture: boolean;
}

const CHOICES = { "": null, picture: true, noPicture: false } as const;

/** Chooses whether previews of this link in chats show its first picture. Each choice is saved at once. */
export function PreviewChoice({ fileId, showsPicture, accountShowsPicture }: PreviewChoiceProps) {
  const t = useMessages("ownFile");
  const id = useId();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (choice: boolean | null) => filesApi.changeFile(fileId, { showsPicture: choice }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...queryKeys.files, fileId] }),
    onError: errorToast(t("saveFailed"), t("tryAgain")),
  });
  const chosen = save.isPending ? save.variables : (showsPicture ?? null);
  const nameOf = (shows: boolean) => (shows ? "picture" : "noPicture");
  const hint = (
    <>
      {chosen === null ? t("notifyHelpAccount", { choice: t(nameOf(accountShowsPicture)) }) : t("previewHelp")}{" "}
      <span role="status">{save.isSuccess && <span className="text-reed">{t("saved")}</span>}</span>
    </>
  );
  return (
    <Card>
      <FieldFrame id={id} label={t("preview")} hint={hint}>
        <select
          {...fieldAttributes(id, hint, undefined)}
          className={controlClass}
          value={chosen === null ? "" : nameOf(chosen)}
          onChange={({ target }) => save.mutate(CHOICES[target.value as keyof typeof CHOICES])}
        >
          <option value="">{t("asAccount")}</option>
          <option value="picture">{t("picture")}</option>
          <option value="noPicture">{t("noPicture")}</option>
        </select>
      </FieldFrame>
    </Card>
  );
}
