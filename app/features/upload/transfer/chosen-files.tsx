import { X } from "lucide-react";
import { useCallback, useMemo, type ReactNode, type RefObject } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { nameOf, type TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { EntryTree } from "#app/ui/entries/entry-tree.tsx";
import { formatBytes } from "#domain/units.ts";
import { AddButtons } from "./add-files.tsx";
import type { ListView } from "./transfer-draft.ts";

interface ChosenFilesProps {
  view: ListView;
  heading: RefObject<HTMLHeadingElement>;
  /** Shown between the heading and the files: what is wrong with the files. */
  children: ReactNode;
  /** Further ways to add something to the list. */
  ways?: ReactNode;
}

interface ListRow {
  n: number;
  path: string;
  sizeBytes: number;
}

/** The list of files to send. Files can be added or left out. */
export function ChosenFiles({ view: { draft, list, isReading }, heading, children, ways }: ChosenFilesProps) {
  const t = useMessages("transferUpload");
  const rows = useMemo<ListRow[]>(
    () => list.entries.map(({ path, sizeBytes }, n) => ({ n, path, sizeBytes })),
    [list.entries],
  );
  const leaveOut = useCallback(
    (left: readonly ListRow[]) => draft.leaveOut(new Set(left.flatMap(({ n }) => list.entries[n] ?? []))),
    [draft, list.entries],
  );
  const renderEntry = useCallback(
    (row: ListRow) => <SizeAndRemove path={row.path} sizeBytes={row.sizeBytes} onRemove={() => leaveOut([row])} />,
    [leaveOut],
  );
  const renderFolder = useCallback(
    (folder: TreeFolder<ListRow>) => (
      <SizeAndRemove path={folder.path} sizeBytes={folder.sizeBytes} onRemove={() => leaveOut(folder.entries)} />
    ),
    [leaveOut],
  );
  const count = list.entries.length;
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-medium outline-none">
        {count === 0 ? t("nothingToSend") : t("filesOf", { count, size: formatBytes(list.bytes, t.locale) })}
      </h2>
      {children}
      {count === 0 ? (
        <p className="text-sm text-muted">{t("nothingToSendHelp")}</p>
      ) : (
        <EntryTree label={t("filesToSend")} entries={rows} renderEntry={renderEntry} renderFolder={renderFolder} />
      )}
      <AddButtons onItems={(items) => void draft.extend(items)}>{ways}</AddButtons>
      {isReading && <p role="status">{t("reading")}</p>}
    </>
  );
}

function SizeAndRemove({ path, sizeBytes, onRemove }: { path: string; sizeBytes: number; onRemove(): void }) {
  const t = useMessages("transferUpload");
  return (
    <>
      {!path.endsWith("/") || sizeBytes > 0 ? formatBytes(sizeBytes, t.locale) : null}
      <RemoveButton path={path} onRemove={onRemove} />
    </>
  );
}

interface RemoveButtonProps {
  path: string;
  /** @param nextRow finds the row that takes the place of the removed one; null when the tree is gone */
  onRemove(nextRow: () => HTMLElement | null): void;
}

/**
 * The button that removes a row of a tree. After the removal, the focus moves to the row that takes the place of the
 * removed one.
 */
export function RemoveButton({ path, onRemove }: RemoveButtonProps) {
  const t = useMessages("transferUpload");
  return (
    <button
      type="button"
      aria-label={t("remove", { name: nameOf(path) })}
      className="-me-2 grid size-11 cursor-pointer place-items-center rounded-lg hover:text-danger"
      onClick={({ currentTarget }) => {
        const grid = currentTarget.closest<HTMLElement>("[role=treegrid]");
        const place = Number(currentTarget.closest("[role=row]")?.getAttribute("aria-rowindex"));
        const rowAt = (index: number) =>
          grid?.isConnected ? grid.querySelector<HTMLElement>(`[role=row][aria-rowindex="${index}"]`) : null;
        const nextRow = () => rowAt(place) ?? rowAt(place - 1);
        onRemove(nextRow);
        requestAnimationFrame(() => {
          // A dialog that asks first keeps the focus.
          if (document.activeElement === document.body) nextRow()?.focus();
        });
      }}
    >
      <X size={18} aria-hidden />
    </button>
  );
}
