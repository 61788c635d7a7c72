import clsx from "clsx";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { formatBytes } from "#domain/units.ts";
import { DiscardButton } from "../discard-button.tsx";
import { ChooseFolder, ItemsInput } from "../drop-field.tsx";
import type { DroppedItem } from "../dropped-items.ts";
import { AddArea } from "../transfer/add-files.tsx";
import type { KeptSending } from "./kept-sending.ts";

interface GoOnProps {
  kept: KeptSending;
  onItems(items: DroppedItem[]): void;
  onDiscard(): Promise<void>;
}

/** The unfinished upload of this browser: to resume it, the person has to choose its files again. */
export default function GoOn({ kept, onItems, onDiscard }: GoOnProps) {
  const t = useMessages("requestPage");
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
  return (
    <AddArea onItems={onItems}>
      <div role="status">
        <h2 className="text-lg font-medium">{t("unfinished")}</h2>
        <p className="mt-1 break-words text-muted">
          {t("unfinishedHelp", { title, count: entries, size: formatBytes(bytes, t.locale) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <label className={clsx(buttonClass(), "cursor-pointer focus-within:outline-2 focus-within:outline-offset-2")}>
          <FileUp size={18} aria-hidden />
          {t("chooseFiles")}
          <ItemsInput label={t("chooseFiles")} onItems={onItems} />
        </label>
        <ChooseFolder look="primary" label={t("chooseFolder")} onItems={onItems} />
        <DiscardButton group="requestPage" title={title} isBusy={isBusy} onDiscard={() => void discard()} />
      </div>
    </AddArea>
  );
}
