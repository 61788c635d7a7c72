import clsx from "clsx";
import { ChevronRight, Folder, FolderOpen } from "lucide-react";
import { memo, useLayoutEffect, useRef, type CSSProperties, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { nameOf, type TreeEntry, type TreeFolder } from "./entry-folders.ts";
import type { TreeRow } from "./entry-rows.ts";
import { boxStateOf, toggleEntries, type EntrySelection } from "./entry-selection.ts";

/** Fixed, so that the place of a row follows from its index. */
export const ROW_HEIGHT_PX = 48;

/** Deeper rows are indented no further: names need the room. */
const MAX_INDENTED_LEVEL = 8;

/** What all rows of a tree share. A new object draws them again. */
export interface RowTools<E extends TreeEntry> {
  renderEntry(entry: E): ReactNode;
  renderFolder?: ((folder: TreeFolder<E>) => ReactNode) | undefined;
  hrefOf?: ((entry: E) => string | null) | undefined;
  selection?: EntrySelection<E> | undefined;
  onToggleFolder(path: string): void;
}

interface EntryTreeRowProps<E extends TreeEntry> {
  row: TreeRow<E>;
  index: number;
  tools: RowTools<E>;
  /** Only this row, and what is in it, is reached with Tab. Null before hydration, when all links are. */
  isActive: boolean | null;
  /** Shown only where no script can open its folder. */
  isInClosedFolder?: boolean;
  /** Distance from the list's top; null for a row in the flow of the page. */
  topPx: number | null;
}

/** Everything that the row's box selects. */
function entriesOf<E extends TreeEntry>(row: TreeRow<E>): readonly E[] {
  return row.folder ? row.folder.entries : [row.entry];
}

export function toggleRow<E extends TreeEntry>(row: TreeRow<E>, selection: EntrySelection<E>): void {
  const entries = entriesOf(row);
  if (boxStateOf(entries, selection) === "disabled") return;
  selection.onChange(toggleEntries(entries, selection), row.folder);
}

function Row<E extends TreeEntry>({
  row,
  index,
  tools,
  isActive,
  isInClosedFolder = false,
  topPx,
}: EntryTreeRowProps<E>) {
  const t = useMessages("transfers");
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isActive === null) return;
    // Callers fill rows with controls of their own, which Tab should reach only in the active row.
    for (const control of element.current?.querySelectorAll<HTMLElement>("a, button, input") ?? []) {
      control.tabIndex = isActive ? 0 : -1;
    }
  });
  const name = nameOf(row.folder ? row.folder.path : row.entry.path);
  const { selection } = tools;
  const box = selection ? boxStateOf(entriesOf(row), selection) : null;
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 1}
      aria-level={row.level}
      aria-expanded={row.folder ? row.isOpen : undefined}
      aria-selected={box === null ? undefined : box === "all"}
      tabIndex={isActive === null ? undefined : isActive ? 0 : -1}
      data-key={row.key}
      className={clsx(
        "flex items-center gap-2 border-b border-line/60 px-2 -outline-offset-2 hover:bg-sunken",
        box === "all" && "bg-sunken/60",
        topPx !== null && "absolute inset-x-0",
        isInClosedFolder && "hidden noscript:flex",
      )}
      style={placeOf(topPx)}
    >
      {selection && box && (
        <span role="gridcell" className="shrink-0">
          <SelectionBox
            state={box}
            label={t(row.folder ? "selectFolder" : "selectEntry", { name })}
            onChange={() => {
              toggleRow(row, selection);
            }}
          />
        </span>
      )}
      <span
        role="gridcell"
        className="flex h-full min-w-0 flex-1 items-center"
        style={{ paddingInlineStart: `${(Math.min(row.level, MAX_INDENTED_LEVEL) - 1) * 0.875}rem` }}
      >
        {row.folder ? (
          <button
            type="button"
            title={row.folder.path}
            className="flex h-full min-w-0 cursor-pointer items-center gap-2 text-start font-medium"
            onClick={() => {
              tools.onToggleFolder(row.folder.path);
            }}
          >
            <ChevronRight size={16} aria-hidden className={clsx("shrink-0 text-muted", row.isOpen && "rotate-90")} />
            {row.isOpen ? <FolderOpen {...FOLDER_ICON} /> : <Folder {...FOLDER_ICON} />}
            <span className="truncate">{name}</span>
          </button>
        ) : (
          <EntryName entry={row.entry} name={name} href={tools.hrefOf?.(row.entry) ?? null} />
        )}
      </span>
      <span role="gridcell" className="flex shrink-0 items-center gap-2 text-sm text-muted tabular-nums">
        {row.folder ? tools.renderFolder?.(row.folder) : tools.renderEntry(row.entry)}
      </span>
    </div>
  );
}

// `memo` loses type parameters.
export const EntryTreeRow = memo(Row) as unknown as typeof Row;

const FOLDER_ICON = { size: 20, "aria-hidden": true, className: "shrink-0 text-reed" } as const;

function EntryName({ entry, name, href }: { entry: TreeEntry; name: string; href: string | null }) {
  return (
    // As far in as a folder's icon.
    <span className="flex h-full min-w-0 items-center gap-2 ps-6" title={entry.path}>
      {entry.path.endsWith("/") ? (
        <Folder {...FOLDER_ICON} />
      ) : (
        <span className="text-muted">
          <FileIcon filename={name} size={20} />
        </span>
      )}
      {href === null ? (
        <span className="truncate">{name}</span>
      ) : (
        <a href={href} className="flex h-full min-w-0 items-center underline-offset-4 hover:underline">
          <span className="truncate">{name}</span>
        </a>
      )}
    </span>
  );
}

interface SelectionBoxProps {
  state: ReturnType<typeof boxStateOf>;
  label: string;
  onChange(): void;
}

function SelectionBox({ state, label, onChange }: SelectionBoxProps) {
  return (
    <label className="grid size-11 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = state === "some";
        }}
        checked={state === "all"}
        disabled={state === "disabled"}
        onChange={onChange}
        className="size-4.5 accent-reed"
      />
    </label>
  );
}

function placeOf(topPx: number | null): CSSProperties {
  return { height: ROW_HEIGHT_PX, ...(topPx === null ? {} : { transform: `translateY(${topPx}px)` }) };
}
