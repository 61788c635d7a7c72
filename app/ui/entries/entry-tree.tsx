import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { toFolders, type TreeEntry, type TreeFolder } from "./entry-folders.ts";
import { commandOfKey, listRows, openAtFirst, toggleFolder, type TreeRow, type EntrySelection } from "./entry-rows.ts";
import { EntryTreeRow, ROW_HEIGHT_PX, toggleRow, type RowTools } from "./entry-tree-row.tsx";

/** A list of at most this many entries is first shown with all folders open. */
const MAX_ENTRIES_ALL_OPEN = 100;

/** Rows drawn above and below the rows in view. */
const OVERSCAN_ROWS = 8;

/** `onEndVisible` is called when at most this many rows follow the last row in view. */
const ROWS_LEFT_TO_LOAD = 20;

interface EntryTreeProps<E extends TreeEntry> {
  /** Names the tree for screen readers. */
  label: string;
  /** A new array whenever the list changes. */
  entries: readonly E[];
  /** The number of entries of the whole list, if not all are loaded yet. */
  total?: number;
  /**
   * Called to load more entries when the last rows are nearly in view, and after each load that leaves them nearly in
   * view.
   */
  onEndVisible?(): void;
  /** Renders the right end of an entry's row. Called for rows in view. */
  renderEntry(entry: E): ReactNode;
  renderFolder?(folder: TreeFolder<E>): ReactNode;
  /** Renders small text below the name, on narrow screens only. */
  renderNote?(item: E | TreeFolder<E>): ReactNode;
  /** The address of the link on the entry's name. Null for an entry without a link. */
  hrefOf?(entry: E): string | null;
  /**
   * The id of a form. If it is set, each name is a submit button that posts the form to `hrefOf`, instead of a link.
   */
  linkForm?: string | undefined;
  /** The address of a small picture that is shown in place of the entry's icon. */
  tileOf?(entry: E): string | undefined;
  selection?: EntrySelection<E>;
  /** A changed number draws the rows again, for entry states that are kept outside React. */
  version?: number;
  /** Default: "all" for at most 100 entries, otherwise "top". */
  initiallyOpen?: "all" | "top";
}

/** A transfer's files and folders as a tree. Only rows in view are rendered; before hydration, all rows are. */
export function EntryTree<E extends TreeEntry>(props: EntryTreeProps<E>) {
  const { label, entries, total = entries.length, onEndVisible, initiallyOpen, version, ...drawn } = props;
  const { renderEntry, renderFolder, renderNote, hrefOf, linkForm, tileOf, selection } = drawn;
  const t = useMessages("transfers");
  const root = useMemo(() => toFolders(entries), [entries]);
  const [open, setOpen] = useState(() =>
    openAtFirst(root, initiallyOpen ?? (total <= MAX_ENTRIES_ALL_OPEN ? "all" : "top")),
  );
  const rows = useMemo(() => listRows(root, open), [root, open]);
  const hydrated = useHydrated();
  const tools = useMemo<RowTools<E>>(
    () => ({ ...drawn, onToggleFolder: (path) => setOpen((before) => toggleFolder(before, path)) }),
    // oxlint-disable-next-line react/exhaustive-deps -- `version` stands for what the functions read
    [renderEntry, renderFolder, renderNote, hrefOf, linkForm, tileOf, selection, version],
  );
  const hasMore = entries.length < total;
  const grid = {
    role: "treegrid",
    "aria-label": label,
    "aria-rowcount": hasMore ? -1 : rows.length,
    "aria-multiselectable": selection ? true : undefined,
  } as const;
  if (!hydrated) return <FirstRows grid={grid} root={root} rows={rows} tools={tools} />;
  return (
    <RowWindow grid={grid} rows={rows} tools={tools} onEndVisible={hasMore ? onEndVisible : undefined}>
      {hasMore && <p className="p-3 text-sm text-muted">{t("loadingMore")}</p>}
    </RowWindow>
  );
}

const GRID_CLASS = "relative max-h-[60vh] overflow-y-auto overscroll-contain rounded-2xl border border-line";

interface GridProps {
  role: "treegrid";
  "aria-label": string;
  "aria-rowcount": number;
  "aria-multiselectable": boolean | undefined;
}

interface RowsProps<E extends TreeEntry> {
  grid: GridProps;
  rows: readonly TreeRow<E>[];
  tools: RowTools<E>;
}

/** The rows in the server's HTML, also those inside closed folders, which cannot be opened without scripts. */
function FirstRows<E extends TreeEntry>({
  grid,
  root,
  rows,
  tools,
}: RowsProps<E> & { root: ReturnType<typeof toFolders<E>> }) {
  const unfolded = listRows(root, openAtFirst(root, "all"));
  const shown = new Map(rows.map((row) => [row.key, row]));
  return (
    <div {...grid} className={GRID_CLASS}>
      {unfolded.map((row, index) => (
        <EntryTreeRow
          key={row.key}
          row={shown.get(row.key) ?? row}
          index={index}
          tools={tools}
          isActive={null}
          isInClosedFolder={!shown.has(row.key)}
          topPx={null}
        />
      ))}
    </div>
  );
}

interface RowWindowProps<E extends TreeEntry> extends RowsProps<E> {
  onEndVisible: (() => void) | undefined;
  /** Shown below the rows. */
  children: ReactNode;
}

function RowWindow<E extends TreeEntry>({ grid, rows, tools, onEndVisible, children }: RowWindowProps<E>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<ActiveRow>({ key: null, index: 0 });
  const activeIndex = useMemo(() => indexOfActive(rows, active), [rows, active]);
  const inView = useRowsInView(scroller, ROW_HEIGHT_PX);
  const end = inView.first + inView.count;
  const isEndVisible = end + ROWS_LEFT_TO_LOAD >= rows.length;
  useEffect(() => {
    if (isEndVisible) onEndVisible?.();
  }, [isEndVisible, onEndVisible, rows]);

  const from = Math.max(0, inView.first - OVERSCAN_ROWS);
  const indexes = Array.from(
    { length: Math.max(0, Math.min(rows.length, end + OVERSCAN_ROWS) - from) },
    (_, at) => from + at,
  );
  // The active row stays in the page outside the view too, so that it keeps the focus and Tab reaches it.
  const indexesToDraw = [
    ...(activeIndex < from ? [activeIndex] : []),
    ...indexes,
    ...(activeIndex >= from + indexes.length ? [activeIndex] : []),
  ];

  const isFocusWanted = useRef(false);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    // When the focused row or button is removed, the browser moves the focus to the body without an event.
    const isFocusLost = hasFocus.current && !scroller.current?.contains(document.activeElement);
    if (!isFocusWanted.current && !isFocusLost) return;
    isFocusWanted.current = false;
    rowElement(scroller.current, activeIndex)?.focus();
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const isOnRow = event.target.getAttribute("role") === "row";
    const command = commandOfKey(event.key, rows, activeIndex, Math.max(1, inView.count - 2));
    const row = rows[activeIndex];
    // Buttons, links and checkboxes handle Enter and space themselves.
    if (!command || !row || (!isOnRow && command.does !== "move")) return;
    event.preventDefault();
    if (command.does === "move") {
      isFocusWanted.current = command.to !== activeIndex;
      // Moves the focus from a control in the row to the row itself.
      if (!isFocusWanted.current) rowElement(scroller.current, activeIndex)?.focus();
      setActive({ key: rows[command.to]?.key ?? null, index: command.to });
    } else if (command.does === "toggle") tools.onToggleFolder(command.path);
    else if (command.does === "open") event.target.querySelector<HTMLElement>("a, [form]")?.click();
    else if (tools.selection) toggleRow(row, tools.selection);
  };

  return (
    <div
      {...grid}
      ref={scroller}
      className={GRID_CLASS}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        hasFocus.current = true;
        const key = target.closest<HTMLElement>("[role=row]")?.dataset.key;
        const index = rows.findIndex((row) => String(row.key) === key);
        if (index !== -1) setActive({ key: rows[index]?.key ?? null, index });
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        hasFocus.current = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      }}
    >
      <div role="rowgroup" className="relative" style={{ height: rows.length * ROW_HEIGHT_PX }}>
        {indexesToDraw.map((index) => {
          const row = rows[index];
          return (
            row && (
              <EntryTreeRow
                key={row.key}
                row={row}
                index={index}
                tools={tools}
                isActive={index === activeIndex}
                topPx={index * ROW_HEIGHT_PX}
              />
            )
          );
        })}
      </div>
      {children}
    </div>
  );
}

interface ActiveRow {
  key: TreeRow<TreeEntry>["key"] | null;
  /** The row's index when the row became active. */
  index: number;
}

/** The index of the active row. If that row has been removed, the row now at its index is active. */
function indexOfActive<E extends TreeEntry>(rows: readonly TreeRow<E>[], { key, index }: ActiveRow): number {
  const found = rows.findIndex((row) => row.key === key);
  return found === -1 ? Math.max(0, Math.min(index, rows.length - 1)) : found;
}

function rowElement(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector(`[role=row][aria-rowindex="${index + 1}"]`) ?? null;
}

/** Rows drawn before the scroller has been measured; enough for a tall screen. */
const ROWS_BEFORE_MEASURING = 20;

interface RowsInView {
  /** Index of the first row in view. */
  first: number;
  /** The number of rows in view, partly visible rows included. */
  count: number;
}

/** @param rowHeightPx the height of every row */
function useRowsInView(scroller: RefObject<HTMLElement>, rowHeightPx: number): RowsInView {
  const [inView, setInView] = useState<RowsInView>({ first: 0, count: ROWS_BEFORE_MEASURING });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => {
      const first = Math.floor(element.scrollTop / rowHeightPx);
      const count = Math.ceil(element.clientHeight / rowHeightPx) + 1;
      setInView((before) => (before.first === first && before.count === count ? before : { first, count }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller, rowHeightPx]);
  return inView;
}
