import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { boxStateOf, toggleEntries, type EntrySelection } from "#app/ui/entries/entry-rows.ts";
import type { EntryFolder } from "#app/ui/entries/entry-folders.ts";
import { type EntryList, type EntryListSnapshot, type TransferEntry, entryUrl } from "../transfer/entry-list.ts";
import { layWall, moveInWall, rowsInView, type WallLayout, type WallRow } from "./wall-rows.ts";
import { Tile, type TileTools } from "./wall-tile.tsx";

/** `loadMore` is called when less than this many screens of the wall follow the view. */
const SCREENS_LEFT_TO_LOAD = 3;

interface WallProps {
  downloadId: string;
  list: EntryList;
  shown: EntryListSnapshot;
  selection: EntrySelection<TransferEntry>;
  /** The file that the viewer showed last, which gets the focus; a new object each time. */
  focused: { n: number } | null;
  onOpen(n: number): void;
}

/**
 * The files as a wall of pictures, which are laid out before any of them has loaded. Only rows near the view are in the
 * document.
 */
export default function Wall({ downloadId, list, shown, selection, focused, onOpen }: WallProps) {
  const t = useMessages("pictures");
  const { entries, isComplete, version } = shown;
  const keysId = useId();
  const wall = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(wall);
  const layout = useMemo(
    () => layWall(widthPx === 0 ? [] : entries, (entry) => ratioOf(list, entry), widthPx),
    // oxlint-disable-next-line react/exhaustive-deps -- the version stands for the pictures that are known
    [entries, list, widthPx, version],
  );
  const { rows, files, heightPx } = layout;
  const view = useView(wall, layout);
  useEffect(() => {
    if (!isComplete && view.bottomPx + SCREENS_LEFT_TO_LOAD * window.innerHeight > heightPx) void list.loadMore();
  }, [isComplete, view, heightPx, list, entries]);

  const [active, setActive] = useState<number | null>(null);
  const activeIndex = Math.max(
    0,
    files.findIndex(({ n }) => n === active),
  );
  const isFocusWanted = useRef(false);
  useEffect(() => {
    if (!focused) return;
    isFocusWanted.current = true;
    setActive(focused.n);
  }, [focused]);
  useLayoutEffect(() => {
    if (!isFocusWanted.current) return;
    const cell = wall.current?.querySelector<HTMLElement>(`[data-key="${files[activeIndex]?.n}"]`);
    if (!cell) return;
    isFocusWanted.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest" });
  });

  const anchor = useRef<number | null>(null);
  const select = (entry: TransferEntry, isRange: boolean) => {
    if (selection.canSelect?.(entry) === false) return;
    const from = files.findIndex(({ n }) => n === anchor.current);
    const to = files.indexOf(entry);
    anchor.current = entry.n;
    if (isRange && from !== -1) {
      const range = files.slice(Math.min(from, to), Math.max(from, to) + 1);
      const selectable = range.filter((each) => selection.canSelect?.(each) !== false);
      selection.onChange(new Set([...selection.selected, ...selectable.map(({ n }) => n)]));
    } else selection.onChange(toggleEntries([entry], selection));
  };
  const newest = useRef({ select, onOpen });
  useEffect(() => {
    newest.current = { select, onOpen };
  });
  // The same object always, so that only tiles that have changed are drawn again.
  const tools = useMemo<TileTools>(
    () => ({
      onOpen: (entry) => newest.current.onOpen(entry.n),
      onSelect: (entry, isRange) => newest.current.select(entry, isRange),
    }),
    [],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.getAttribute("aria-selected") === null) return;
    if (event.metaKey || event.altKey) return;
    const entry = files[activeIndex];
    const to = moveInWall(layout, activeIndex, event, Math.max(1, view.count - 1));
    if (to !== null) {
      isFocusWanted.current = to !== activeIndex;
      setActive(files[to]?.n ?? null);
    } else if (event.key === " " && entry) select(entry, event.shiftKey);
    else if (event.key === "Enter" && entry) {
      if (isOpenable(list, entry)) onOpen(entry.n);
    } else return;
    event.preventDefault();
  };

  const drawn = indexesToDraw(rows, view, activeIndex);
  return (
    <>
      <p id={keysId} className="sr-only">
        {t("keys")}
      </p>
      <div
        ref={wall}
        role="grid"
        aria-label={t("wallOf")}
        aria-describedby={keysId}
        aria-multiselectable
        aria-rowcount={isComplete ? rows.length : -1}
        className="relative mt-2 select-none"
        // Before the wall has been measured it is as high as a screen, so that what follows does not jump.
        style={{ height: widthPx === 0 ? "100dvh" : heightPx }}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const key = target.closest<HTMLElement>("[data-key]")?.dataset.key;
          if (key !== undefined) setActive(Number(key));
        }}
      >
        {drawn.map((index) => {
          const row = rows[index];
          if (!row) return null;
          const { topPx, heightPx: rowHeightPx } = row;
          return (
            <div
              key={row.folder ? row.folder.path : `${row.tiles[0]?.entry.n}`}
              role="row"
              aria-rowindex={index + 1}
              className="absolute inset-x-0"
              style={{ height: rowHeightPx, transform: `translateY(${topPx}px)` }}
            >
              {row.folder ? (
                <FolderHeading folder={row.folder} selection={selection} />
              ) : (
                row.tiles.map(({ entry, leftPx, widthPx: tileWidthPx, index: fileIndex }) => (
                  <Tile
                    key={entry.n}
                    entry={entry}
                    url={entryUrl(downloadId, entry.n)}
                    picture={list.pictureOf(entry.n)}
                    state={list.stateOf(entry)}
                    percent={list.percentOf(entry.n)}
                    leftPx={leftPx}
                    widthPx={tileWidthPx}
                    position={fileIndex + 1}
                    total={files.length}
                    isActive={fileIndex === activeIndex}
                    isSelected={selection.selected.has(entry.n)}
                    canSelect={selection.canSelect?.(entry) !== false}
                    isSelecting={selection.selected.size > 0}
                    isOpenable={isOpenable(list, entry)}
                    tools={tools}
                  />
                ))
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}

/** Files without a picture have a square with their name. */
function ratioOf(list: EntryList, { n }: TransferEntry): number {
  const picture = list.pictureOf(n);
  return picture ? picture.width / picture.height : 1;
}

/** Whether the viewer has something to show: the file, or its picture. */
function isOpenable(list: EntryList, entry: TransferEntry): boolean {
  return list.stateOf(entry) === "stored" || list.pictureOf(entry.n) !== null;
}

interface FolderHeadingProps {
  folder: EntryFolder<TransferEntry>;
  selection: EntrySelection<TransferEntry>;
}

function FolderHeading({ folder, selection }: FolderHeadingProps) {
  const t = useMessages("transfers");
  const path = folder.path.slice(0, -1);
  const box = boxStateOf(folder.entries, selection);
  const isEmpty = folder.children.length === 0;
  return (
    <span role="gridcell" className="flex h-full items-end gap-2 pb-2">
      {!isEmpty && (
        <input
          type="checkbox"
          aria-label={t("selectFolder", { name: path })}
          ref={(input) => {
            if (input) input.indeterminate = box === "some";
          }}
          checked={box === "all"}
          disabled={box === "disabled"}
          onChange={() => selection.onChange(toggleEntries(folder.entries, selection), folder)}
          className="mb-1 size-4.5 shrink-0 accent-reed"
        />
      )}
      <h2 className="truncate font-medium" dir="auto">
        {path.split("/").join(" / ")}
      </h2>
      {isEmpty && <span className="text-sm text-muted">{t("emptyFolder")}</span>}
    </span>
  );
}

/** The active file's row stays in the page outside the view too, so that it keeps the focus and Tab reaches it. */
function indexesToDraw(rows: readonly WallRow<TransferEntry>[], view: View, activeIndex: number): number[] {
  const indexes = Array.from({ length: view.end - view.first }, (_, at) => view.first + at);
  const activeRow = rows.findIndex(({ tiles }) => tiles?.some(({ index }) => index === activeIndex));
  if (activeRow === -1 || (activeRow >= view.first && activeRow < view.end)) return indexes;
  return activeRow < view.first ? [activeRow, ...indexes] : [...indexes, activeRow];
}

/** @returns the element's width in CSS pixels; 0 until it has been measured */
function useWidth(element: RefObject<HTMLElement>): number {
  const [widthPx, setWidthPx] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const measure = () => setWidthPx(Math.floor(measured.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}

interface View {
  /** Index of the first row to draw, and of the row after the last. */
  first: number;
  end: number;
  /** The number of rows that can be seen. */
  count: number;
  /** The lower edge of the window, from the wall's top. */
  bottomPx: number;
}

/** The rows near the window, which is what scrolls. A screen more is drawn on each side. */
function useView(wall: RefObject<HTMLElement>, { rows }: WallLayout<TransferEntry>): View {
  const [view, setView] = useState<View>({ first: 0, end: 0, count: 1, bottomPx: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const topPx = -(wall.current?.getBoundingClientRect().top ?? 0);
      const screenPx = window.innerHeight;
      const seen = rowsInView(rows, topPx, topPx + screenPx);
      const { first, end } = rowsInView(rows, topPx - screenPx, topPx + 2 * screenPx);
      const next = { first, end, count: seen.end - seen.first, bottomPx: topPx + screenPx };
      setView((before) =>
        before.first === first && before.end === end && before.count === next.count ? before : next,
      );
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [wall, rows]);
  return view;
}
