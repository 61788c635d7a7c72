import { Download, Info } from "lucide-react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { countFiles } from "#app/ui/entries/count-files.ts";
import { nameOf, type TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { Day } from "#app/ui/moments.tsx";
import { formatBytes } from "#domain/units.ts";
import type { EntryState } from "#domain/wire.ts";
import type { TransferEntry } from "./entry-list.ts";

interface EntryCellsProps {
  entry: TransferEntry;
  state: EntryState;
  /** How much of the entry has arrived, in percent; null if unknown. */
  percent: number | null;
  /** Whether the entry can be downloaded although it is still arriving. */
  isFollowable: boolean;
  onShowDetails(): void;
}

/** The cell has one width for its button and its texts, so that the columns stay in line. */
const LAST_CELL = "grid min-w-11 place-items-center sm:w-18";

/** The cells beside a file's name: date, size, and state or button. */
export function EntryCells({ entry, state, percent, isFollowable, onShowDetails }: EntryCellsProps) {
  const t = useMessages("transfers");
  // The button is disabled before hydration, when a click would be lost.
  const hydrated = useHydrated();
  const arrived = state === "arriving" && percent !== null ? `${Math.floor(percent)} %` : t(state);
  if (entry.path.endsWith("/")) {
    return (
      <>
        <span className="max-sm:pe-3">{t("emptyFolder")}</span>
        <span className={`max-sm:hidden ${LAST_CELL}`} />
      </>
    );
  }
  return (
    <>
      <span className="hidden md:inline">
        <Day moment={entry.modifiedAt} dateStyle="medium" />
      </span>
      <span className="hidden min-w-18 text-end sm:inline">{formatBytes(entry.sizeBytes, t.locale)}</span>
      <span className={LAST_CELL}>
        {state === "stored" || isFollowable ? (
          <button
            type="button"
            disabled={!hydrated}
            aria-label={t("showDetails", { name: nameOf(entry.path) })}
            className="grid size-11 cursor-pointer place-items-center content-center rounded-xl hover:text-ink noscript:invisible"
            onClick={onShowDetails}
          >
            {isFollowable ? <Download size={18} aria-hidden /> : <Info size={20} aria-hidden />}
            {isFollowable && <span className="text-xs text-amber-ink">{arrived}</span>}
          </button>
        ) : (
          <span className="text-xs text-amber-ink">{arrived}</span>
        )}
      </span>
    </>
  );
}

interface FolderCellsProps {
  folder: TreeFolder;
  /** Whether more of the folder may load, so that its size is not known yet. */
  isPartial: boolean;
}

export function FolderCells({ folder, isPartial }: FolderCellsProps) {
  const t = useMessages("transfers");
  if (isPartial) return null;
  return (
    <>
      <span className="hidden sm:inline">{t("fileCount", { count: countFiles(folder.entries) })}</span>
      <span className="hidden min-w-18 text-end sm:inline">{formatBytes(folder.sizeBytes, t.locale)}</span>
      <span className={`max-sm:hidden ${LAST_CELL}`} />
    </>
  );
}
