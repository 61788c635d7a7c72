import clsx from "clsx";
import { Upload } from "lucide-react";
import { useState, type DragEvent } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { limitFor, type PlanId } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import { ExpirationSelect } from "./expiration-select.tsx";
import type { ExpirationChoice } from "./upload-card.tsx";
import type { Wording } from "./wording.ts";

interface ChooseFileProps {
  wording: Wording;
  plan: PlanId;
  choice: ExpirationChoice;
  onChoice(choice: ExpirationChoice): void;
  onFile(file: File): void;
  /** Called when somebody is about to choose a file. */
  onApproach(): void;
}

export function ChooseFile({ wording, plan, choice, onChoice, onFile, onApproach }: ChooseFileProps) {
  const t = useMessages("uploads");
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    <div className="grid gap-5">
      <label
        className={clsx(
          "grid cursor-pointer place-items-center gap-1 rounded-2xl border-2 border-dashed px-4 py-12 text-center transition-colors",
          "focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-reed",
          over ? "border-reed bg-sunken" : "border-line hover:border-reed hover:bg-sunken",
        )}
        onPointerEnter={onApproach}
        onDragEnter={onApproach}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => {
          setOver(false);
        }}
        onDrop={drop}
      >
        <span className="mb-3 grid size-14 place-items-center rounded-2xl bg-reed text-on-reed">
          <Upload size={26} aria-hidden />
        </span>
        <span className="text-lg font-medium">{t(over ? "letGo" : "chooseOrDrop")}</span>
        <span className="text-sm text-muted">
          {t("upTo", { size: formatBytes(limitFor(plan).fileSizeBytes, t.locale) })}
        </span>
        <input
          type="file"
          aria-label={t("chooseFile")}
          className="sr-only"
          onFocus={onApproach}
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file can be chosen again after an error or a cancel.
            event.target.value = "";
            if (file) onFile(file);
          }}
        />
      </label>
      <ExpirationSelect wording={wording} plan={plan} choice={choice} automaticHours={null} onChoice={onChoice} />
    </div>
  );
}
