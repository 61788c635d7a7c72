import clsx from "clsx";
import { ChevronRight, Folder, FolderOpen } from "lucide-react";
import { useEffect, memo, useRef, type CSSProperties, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { FileIcon } from "#app/ui/file-icon.tsx";
import { FileName } from "#app/ui/file-name.tsx";
import { nameOf, type TreeEntry, type TreeFolder } from "./entry-folders.ts";
import { type TreeRow, boxStateOf, toggleEntries, type BoxState, type EntrySelection } from "./entry-rows.ts";

/** The same for all rows, so that a row's position follows from its index. */
export const ROW_HEIGHT_PX = 48;

/** Deeper rows are indented no further, to leave room for names. */
const MAX_INDENTED_LEVEL = 8;

/** Properties that all rows of a tree share. If the tree passes a new object, all rows are drawn again. */
export interface RowTools<E extends TreeEntry> {
  renderEntry(entry: E): ReactNode;
  renderFolder?: ((folder: TreeFolder<E>) => ReactNode) | undefined;
  renderNote?: ((item: E | TreeFolder<E>) => ReactNode) | undefined;
  hrefOf?: ((entry: E) => string | null) | undefined;
  linkForm?: string | undefined;
  tileOf?: ((entry: E) => string | undefined) | undefined;
  selection?: EntrySelection<E> | undefined;
  onToggleFolder(path: string): void;
}

interface EntryTreeRowProps<E extends TreeEntry> {
  row: TreeRow<E>;
  index: number;
  tools: RowTools<E>;
  /**
   * Whether Tab reaches this row and its controls. Null before hydration, when Tab reaches the links of all rows, and
   * buttons and checkboxes are disabled, because a click on one would be lost.
   */
  isActive: boolean | null;
  /** The row is inside a closed folder, and is shown only where scripts are off and the folder cannot be opened. */
  isInClosedFolder?: boolean;
  /** Distance from the list's top. Null for a row in the normal flow of the page. */
  topPx: number | null;
}

/** All entries that the row's checkbox selects. */
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
  useEffect(() => {
    if (isActive === null) return;
    // Tab must reach controls, also controls that callers render, only in the active row.
    for (const control of element.current?.querySelectorAll<HTMLElement>("a, button, input") ?? []) {
      control.tabIndex = isActive ? 0 : -1;
    }
  });
  const { path } = row.folder ?? row.entry;
  const name = nameOf(path);
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
        "flex items-center gap-2 border-b border-line/60 px-2 last:border-transparent -outline-offset-2 hover:bg-sunken",
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
            isEnabled={isActive !== null && box !== "disabled"}
            label={t(row.folder ? "selectFolder" : "selectEntry", { name })}
            onChange={() => toggleRow(row, selection)}
          />
        </span>
      )}
      <span
        role="gridcell"
        className="relative flex h-full min-w-0 flex-1 items-center gap-2 [--indent:0.5rem] sm:[--indent:0.875rem]"
        style={{ paddingInlineStart: `calc(var(--indent) * ${Math.min(row.level, MAX_INDENTED_LEVEL) - 1})` }}
      >
        {row.folder ? (
          <ChevronRight size={16} aria-hidden className={clsx("shrink-0 text-muted", row.isOpen && "rotate-90")} />
        ) : (
          <span className="hidden w-4 sm:block" />
        )}
        <RowIcon row={row} name={name} tileOf={tools.tileOf} />
        <span className="flex min-w-0 flex-col leading-tight">
          <RowName row={row} name={name} tools={tools} isEnabled={isActive !== null} />
          {tools.renderNote && (
            <span className="truncate text-xs text-muted tabular-nums sm:hidden">
              {tools.renderNote(row.folder ?? row.entry)}
            </span>
          )}
        </span>
      </span>
      <span role="gridcell" className="flex shrink-0 items-center gap-2 text-sm text-muted tabular-nums">
        {row.folder ? tools.renderFolder?.(row.folder) : tools.renderEntry(row.entry)}
      </span>
    </div>
  );
}

/** Draws the row again only when a property has changed. */
export const EntryTreeRow = memo(Row) as typeof Row;

interface RowPartProps<E extends TreeEntry> {
  row: TreeRow<E>;
  name: string;
}

interface RowNameProps<E extends TreeEntry> extends RowPartProps<E> {
  tools: RowTools<E>;
  isEnabled: boolean;
}

function RowIcon<E extends TreeEntry>({ row, name, tileOf }: RowPartProps<E> & Pick<RowTools<E>, "tileOf">) {
  const tile = row.folder ? undefined : tileOf?.(row.entry);
  // The picture is larger than an icon, and takes the room of one, so that all names begin at the same place.
  if (tile !== undefined)
    return <img src={tile} alt="" className="-mx-1 size-7 shrink-0 rounded bg-sunken object-cover" />;
  if (!row.folder && !row.entry.path.endsWith("/")) {
    return (
      <span className="shrink-0 text-muted">
        <FileIcon filename={name} size={20} />
      </span>
    );
  }
  const Icon = row.folder && row.isOpen ? FolderOpen : Folder;
  return <Icon size={20} aria-hidden className="shrink-0 text-reed" />;
}

/** The row's name. The link or button around the name fills the whole cell, as a large touch target. */
function RowName<E extends TreeEntry>({ row, name, tools, isEnabled }: RowNameProps<E>) {
  const shown = <FileName name={name} title={(row.folder ?? row.entry).path} />;
  if (row.folder) {
    return (
      <button
        type="button"
        disabled={!isEnabled}
        className="cursor-pointer text-start font-medium after:absolute after:inset-0"
        onClick={() => tools.onToggleFolder(row.folder.path)}
      >
        {shown}
      </button>
    );
  }
  const href = tools.hrefOf?.(row.entry) ?? null;
  if (href === null) return shown;
  const className =
    "underline-offset-4 decoration-muted after:absolute after:inset-0 hover:underline any-pointer-coarse:underline";
  if (tools.linkForm !== undefined) {
    return (
      <button
        type="submit"
        form={tools.linkForm}
        formAction={href}
        className={`${className} cursor-pointer text-start`}
      >
        {shown}
      </button>
    );
  }
  return (
    <a href={href} className={className}>
      {shown}
    </a>
  );
}

interface SelectionBoxProps {
  state: BoxState;
  isEnabled: boolean;
  label: string;
  onChange(): void;
}

function SelectionBox({ state, isEnabled, label, onChange }: SelectionBoxProps) {
  return (
    <label className="grid size-11 cursor-pointer place-items-center noscript:invisible">
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = state === "some";
        }}
        checked={state === "all"}
        disabled={!isEnabled}
        onChange={onChange}
        className="size-4.5 accent-reed"
      />
    </label>
  );
}

function placeOf(topPx: number | null): CSSProperties {
  return { height: ROW_HEIGHT_PX, ...(topPx === null ? {} : { transform: `translateY(${topPx}px)` }) };
}
