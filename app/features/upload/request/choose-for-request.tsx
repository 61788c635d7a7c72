import clsx from "clsx";
import { FolderUp, Upload } from "lucide-react";
import { useState, type ChangeEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { formatBytes } from "#domain/units.ts";
import type { SeenUploadRequest } from "#domain/wire.ts";
import { takeDroppedItems, type DroppedItem } from "../transfer/dropped-items.ts";
import { usePastedFiles } from "../use-pasted-files.ts";
import { listKinds } from "./request-bounds.tsx";

interface ChooseForRequestProps {
  request: Pick<SeenUploadRequest, "kinds" | "mostFileBytes">;
  onItems(items: DroppedItem[]): void;
}

export function ChooseForRequest({ request: { kinds, mostFileBytes }, onItems }: ChooseForRequestProps) {
  const t = useMessages("requestPage");
  const [isDraggedOver, setIsDraggedOver] = useState(false);
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
      <label
        className={clsx(
          "grid cursor-pointer place-items-center gap-1 rounded-2xl border-2 border-dashed px-4 py-12 text-center transition-colors",
          "focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-reed",
          isDraggedOver ? "border-reed bg-sunken" : "border-line hover:border-reed hover:bg-sunken",
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDraggedOver(true);
        }}
        onDragLeave={() => {
          setIsDraggedOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setIsDraggedOver(false);
          add(takeDroppedItems(event.dataTransfer));
        }}
      >
        <span className="mb-3 grid size-14 place-items-center rounded-2xl bg-reed text-on-reed">
          <Upload size={26} aria-hidden />
        </span>
        <span className="text-lg font-medium text-balance">{t(isDraggedOver ? "letGo" : "chooseOrDrop")}</span>
        <span className="text-sm text-muted">{hint}</span>
        <ItemsInput label={t("chooseFiles")} kinds={kinds} onItems={add} />
      </label>
      {/* Devices without a mouse, such as phones, choose no folders. */}
      <label className={clsx(buttonClass("quiet"), "hidden! cursor-pointer any-pointer-fine:inline-flex!")}>
        <FolderUp size={18} aria-hidden />
        {t("chooseFolder")}
        <ItemsInput label={t("chooseFolder")} isFolder onItems={add} />
      </label>
    </div>
  );
}

interface ItemsInputProps {
  label: string;
  isFolder?: boolean;
  kinds?: readonly string[] | null;
  onItems(items: DroppedItem[]): void;
}

/** A file input that only its label shows. */
export function ItemsInput({ label, isFolder = false, kinds = null, onItems }: ItemsInputProps) {
  return (
    <input
      type="file"
      className="sr-only"
      aria-label={label}
      multiple
      // Browsers know no endings with two dots, such as `.tar.gz`.
      accept={kinds?.every((kind) => !kind.includes(".")) ? kinds.map((kind) => `.${kind}`).join(",") : undefined}
      onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
        const items = Array.from(target.files ?? [], (file) => ({ entry: null, file }));
        // Lets the person choose the same files again.
        target.value = "";
        onItems(items);
      }}
      {...(isFolder && { webkitdirectory: "" })}
    />
  );
}
