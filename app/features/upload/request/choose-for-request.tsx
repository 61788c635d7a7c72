import { useMessages } from "#app/lib/i18n/messages.ts";
import { formatBytes } from "#domain/units.ts";
import type { SeenUploadRequest } from "#domain/wire.ts";
import { ChooseFolder, DropField, ItemsInput } from "../drop-field.tsx";
import type { DroppedItem } from "../transfer/dropped-items.ts";
import { usePastedFiles } from "../use-pasted-files.ts";
import { listKinds } from "./request-bounds.tsx";

interface ChooseForRequestProps {
  request: Pick<SeenUploadRequest, "kinds" | "mostFileBytes">;
  onItems(items: DroppedItem[]): void;
}

export function ChooseForRequest({ request: { kinds, mostFileBytes }, onItems }: ChooseForRequestProps) {
  const t = useMessages("requestPage");
  const add = (items: DroppedItem[]) => {
    if (items.length > 0) onItems(items);
  };
  usePastedFiles(add);
  const hint =
    kinds === null
      ? t("eachFile", { size: formatBytes(mostFileBytes, t.locale) })
      : t("onlyKinds", { kinds: listKinds(kinds) });
  return (
    <div className="grid gap-4">
      <DropField title={t("chooseOrDrop")} dropTitle={t("letGo")} hint={hint} onItems={add}>
        <ItemsInput label={t("chooseFiles")} kinds={kinds} onItems={add} />
      </DropField>
      <ChooseFolder look="quiet" label={t("chooseFolder")} onItems={add} />
    </div>
  );
}
