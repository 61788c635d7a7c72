import clsx from "clsx";
import { FolderUp, Upload } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { takeDroppedItems, type DroppedItem } from "./transfer/dropped-items.ts";
import type { LinkChoiceProps } from "./link-choice.ts";
import { ExpirationSelect } from "./expiration-select.tsx";
import { ProtectLink } from "./protect-link.tsx";
import { usePastedFiles } from "./use-pasted-files.ts";

interface ChooseFileProps extends LinkChoiceProps {
  /** Several files or folders can be sent. */
  takesMany: boolean;
  onFile(file: File): void;
  /** Several files, or a folder. */
  onMany(items: DroppedItem[]): void;
  onPrepare(): void;
}

export function ChooseFile({ takesMany, onFile, onMany, onPrepare, wording, plan, choice, onChoice }: ChooseFileProps) {
  const t = useMessages("uploads");
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const take = (items: DroppedItem[]) => {
    const [first] = items;
    if (items.length > 1 || first?.entry?.isDirectory || first?.file?.webkitRelativePath) onMany(items);
    else if (first?.file) onFile(first.file);
  };
  usePastedFiles(take);
  const input = {
    type: "file",
    className: "sr-only",
    onFocus: onPrepare,
    onChange: ({ target }: { target: HTMLInputElement }) => {
      const items = Array.from(target.files ?? [], (file) => ({ entry: null, file }));
      // Lets the person choose the same file again after an error or a cancel.
      target.value = "";
      take(items);
    },
  };
  return (
    <div className="grid gap-5">
      <label
        className={clsx(
          "grid cursor-pointer place-items-center gap-1 rounded-2xl border-2 border-dashed px-4 py-12 text-center transition-colors",
          "focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-reed",
          isDraggedOver ? "border-reed bg-sunken" : "border-line hover:border-reed hover:bg-sunken",
        )}
        onPointerEnter={onPrepare}
        onDragEnter={onPrepare}
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
          take(takeDroppedItems(event.dataTransfer));
        }}
      >
        <span className="mb-3 grid size-14 place-items-center rounded-2xl bg-reed text-on-reed">
          <Upload size={26} aria-hidden />
        </span>
        <span className="text-lg font-medium text-balance">{t(isDraggedOver ? "letGo" : "chooseOrDrop")}</span>
        <span className="text-sm text-muted">
          {t("upTo", { size: formatBytes(limitFor(plan).fileSizeBytes, t.locale) })}
        </span>
        {takesMany && <span className="text-sm text-balance text-muted">{t("severalToo")}</span>}
        <input {...input} aria-label={t("chooseFile")} multiple={takesMany} />
      </label>
      {takesMany && (
        // Devices without a mouse, such as phones, choose no folders.
        <label className={clsx(buttonClass("quiet"), "hidden! cursor-pointer any-pointer-fine:inline-flex!")}>
          <FolderUp size={18} aria-hidden />
          {t("chooseFolder")}
          <input {...input} aria-label={t("chooseFolder")} {...{ webkitdirectory: "" }} />
        </label>
      )}
      <ExpirationSelect wording={wording} plan={plan} choice={choice} onChoice={onChoice} automaticHours={null} />
      <ProtectLink choice={choice} onChoice={onChoice} />
    </div>
  );
}
