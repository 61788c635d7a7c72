import { useCallback, useMemo, type ReactNode, type RefObject } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import type { TreeFolder } from "#app/ui/entries/entry-folders.ts";
import { EntryTree } from "#app/ui/entries/entry-tree.tsx";
import { formatBytes } from "#domain/units.ts";
import { AddButtons } from "./add-files.tsx";
import { RemoveButton } from "./remove-button.tsx";
import type { ListView } from "./transfer-draft.ts";

interface ChosenFilesProps {
  view: ListView;
  heading: RefObject<HTMLHeadingElement>;
  /** Between the heading and the files: what is wrong with them. */
  children: ReactNode;
}

interface ListRow {
  n: number;
  path: string;
  sizeBytes: number;
}

/** What is about to be sent, with the ways to add to it and to leave something out. */
export function ChosenFiles({ view: { draft, list, isReading }, heading, children }: ChosenFilesProps) {
  const t = useMessages("transferUpload");
  const rows = useMemo<ListRow[]>(
    () => list.entries.map(({ path, sizeBytes }, n) => ({ n, path, sizeBytes })),
    [list.entries],
  );
  const leaveOut = useCallback(
    (left: readonly ListRow[]) => {
      draft.leaveOut(new Set(left.flatMap(({ n }) => list.entries[n] ?? [])));
    },
    [draft, list.entries],
  );
  const renderEntry = useCallback(
    (row: ListRow) => (
      <SizeAndRemove
        path={row.path}
        sizeBytes={row.sizeBytes}
        onRemove={() => {
          leaveOut([row]);
        }}
      />
    ),
    [leaveOut],
  );
  const renderFolder = useCallback(
    (folder: TreeFolder<ListRow>) => (
      <SizeAndRemove
        path={folder.path}
        sizeBytes={folder.sizeBytes}
        onRemove={() => {
          leaveOut(folder.entries);
        }}
      />
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
      <AddButtons onItems={(items) => void draft.extend(items)} />
      {isReading && <p role="status">{t("reading")}</p>}
    </>
  );
}

interface SizeAndRemoveProps {
  path: string;
  sizeBytes: number;
  onRemove(): void;
}

function SizeAndRemove({ path, sizeBytes, onRemove }: SizeAndRemoveProps) {
  const t = useMessages("transferUpload");
  return (
    <>
      {!path.endsWith("/") || sizeBytes > 0 ? formatBytes(sizeBytes, t.locale) : null}
      <RemoveButton path={path} onRemove={onRemove} />
    </>
  );
}
