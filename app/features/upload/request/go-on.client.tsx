import clsx from "clsx";
import { FileUp, FolderUp } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { Question } from "#app/ui/question.tsx";
import { formatBytes } from "#domain/units.ts";
import type { DroppedItem } from "../transfer/dropped-items.ts";
import { AddArea } from "../transfer/add-files.tsx";
import { ItemsInput } from "./choose-for-request.tsx";
import type { KeptSending } from "./kept-sending.ts";

interface GoOnProps {
  kept: KeptSending;
  onItems(items: DroppedItem[]): void;
  onDiscard(): Promise<void>;
}

/** An upload that this browser has begun before: its files have to be chosen again. */
export default function GoOn({ kept, onItems, onDiscard }: GoOnProps) {
  const t = useMessages("requestPage");
  const [asksToDiscard, setAsksToDiscard] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { title, entries, bytes } = kept;
  const reportFailure = errorToast(t("discardFailed"), t("tryAgainSoon"));
  const discard = async () => {
    setBusy(true);
    try {
      await onDiscard();
    } catch (error) {
      setBusy(false);
      reportFailure(error);
    }
  };
  const label = clsx(buttonClass(), "cursor-pointer focus-within:outline-2 focus-within:outline-offset-2");
  return (
    <AddArea onItems={onItems}>
      <div role="status">
        <h2 className="text-lg font-medium">{t("unfinished")}</h2>
        <p className="mt-1 break-words text-muted">
          {t("unfinishedHelp", { title, count: entries, size: formatBytes(bytes, t.locale) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <label className={label}>
          <FileUp size={18} aria-hidden />
          {t("chooseFiles")}
          <ItemsInput label={t("chooseFiles")} onItems={onItems} />
        </label>
        <label className={clsx(label, "hidden! any-pointer-fine:inline-flex!")}>
          <FolderUp size={18} aria-hidden />
          {t("chooseFolder")}
          <ItemsInput label={t("chooseFolder")} isFolder onItems={onItems} />
        </label>
        <Button
          look="danger"
          onClick={() => {
            setAsksToDiscard(true);
          }}
        >
          {t("discard")}
        </Button>
      </div>
      {asksToDiscard && (
        <Question
          title={t("discardQuestion")}
          text={t("discardWarning", { title })}
          yes={t("discard")}
          no={t("keepIt")}
          isBusy={isBusy}
          onYes={() => void discard()}
          onClose={() => {
            setAsksToDiscard(false);
          }}
        />
      )}
    </AddArea>
  );
}
