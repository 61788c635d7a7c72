import clsx from "clsx";
import { Upload } from "lucide-react";
import { useState, type DragEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { ExpirationProps } from "./expiration-choice.ts";
import { ExpirationSelect } from "./expiration-select.tsx";

interface ChooseFileProps extends ExpirationProps {
  onFile(file: File): void;
  onPrepare(): void;
}

export function ChooseFile({ onFile, onPrepare, ...expiration }: ChooseFileProps) {
  const t = useMessages("uploads");
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsDraggedOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
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
        onDrop={drop}
      >
        <span className="mb-3 grid size-14 place-items-center rounded-2xl bg-reed text-on-reed">
          <Upload size={26} aria-hidden />
        </span>
        <span className="text-lg font-medium">{t(isDraggedOver ? "letGo" : "chooseOrDrop")}</span>
        <span className="text-sm text-muted">
          {t("upTo", { size: formatBytes(limitFor(expiration.plan).fileSizeBytes, t.locale) })}
        </span>
        <input
          type="file"
          aria-label={t("chooseFile")}
          className="sr-only"
          onFocus={onPrepare}
          onChange={(event) => {
            const file = event.target.files?.[0];
            // Lets the person choose the same file again after an error or a cancel.
            event.target.value = "";
            if (file) onFile(file);
          }}
        />
      </label>
      <ExpirationSelect {...expiration} automaticHours={null} />
    </div>
  );
}
