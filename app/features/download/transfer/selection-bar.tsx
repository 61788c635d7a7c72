import { Download } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { countFiles } from "#app/ui/entries/count-files.ts";
import { formatPick } from "#domain/transfers/selection.ts";
import { formatBytes } from "#domain/units.ts";
import { DownloadLink } from "../protection/protected-link-context.tsx";
import type { TransferEntry } from "./entry-list.ts";

interface SelectionBarProps {
  selected: readonly TransferEntry[];
  /** The URL of the ZIP of all files. The URL of a selection adds `pick`. */
  archiveUrl: string;
  /** Whether the list is still loading, so that more entries may belong to the selection. */
  isLoading: boolean;
  onClear(): void;
}

export function SelectionBar({ selected, archiveUrl, isLoading, onClear }: SelectionBarProps) {
  const t = useMessages("transfers");
  const count = countFiles(selected);
  const bytes = selected.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <div className="sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-2xl border border-reed bg-surface p-3 shadow-lg">
      <p role="status" className="flex-1 ps-1 tabular-nums">
        {isLoading ? t("loadingSelection") : t("selected", { count, size: formatBytes(bytes, t.locale) })}
      </p>
      <Button look="quiet" onClick={onClear}>
        {t("clearSelection")}
      </Button>
      {!isLoading && (
        <DownloadLink href={withPick(archiveUrl, selected)} className={`${buttonClass()} max-sm:w-full`}>
          <Download size={18} aria-hidden className="shrink-0" />
          {t("downloadSelected", { count })}
        </DownloadLink>
      )}
    </div>
  );
}

function withPick(archiveUrl: string, selected: readonly TransferEntry[]): string {
  const pick = formatPick(selected.map(({ n }) => n));
  return `${archiveUrl}${archiveUrl.includes("?") ? "&" : "?"}pick=${pick}`;
}
