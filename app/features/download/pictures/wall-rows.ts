import { EntryFolder, toFolders, type TreeEntry } from "#app/ui/entries/entry-folders.ts";

/** A file's place in its row. All lengths are in CSS pixels. */
interface WallTile<E extends TreeEntry> {
  entry: E;
  /** From the row's left edge. */
  leftPx: number;
  widthPx: number;
  /** Index of the file in the order of the wall. */
  index: number;
}

interface RowPlace {
  /** From the wall's top. */
  topPx: number;
  heightPx: number;
}

interface TilesRow<E extends TreeEntry> extends RowPlace {
  tiles: readonly WallTile<E>[];
  folder?: undefined;
}

/** The heading of a folder. */
interface HeadingRow<E extends TreeEntry> extends RowPlace {
  folder: EntryFolder<E>;
  tiles?: undefined;
}

export type WallRow<E extends TreeEntry> = TilesRow<E> | HeadingRow<E>;

export interface WallLayout<E extends TreeEntry> {
  rows: readonly WallRow<E>[];
  /** The files in the order in which the wall shows them. */
  files: readonly E[];
  heightPx: number;
}

/** The space between two tiles, and between two rows. */
const GAP_PX = 6;
const HEADING_HEIGHT_PX = 48;
/** Below this width, the wall of a phone has two pictures in each row. */
const PHONE_WIDTH_PX = 480;
/** The height that rows are near: about four landscape pictures fit next to each other. */
const ROW_HEIGHT_PX = { from: 150, to: 210 } as const;
/** A row that is filled by fewer pictures than fit is at most this much higher. */
const TALLEST = 1.4;
/** Very wide and very high pictures are cut, so that no row gets tiny or fills the screen. */
const RATIO = { from: 0.6, to: 2.4 } as const;

/**
 * Lays out a wall: rows of equal height, in which each picture has its own ratio, below the headings of folders. A folder's
 * own files come before its subfolders. More entries at the end of the list change no row but the last.
 * @param ratioOf width divided by height of an entry's tile @param widthPx of the wall
 */
export function layWall<E extends TreeEntry>(
  entries: readonly E[],
  ratioOf: (entry: E) => number,
  widthPx: number,
): WallLayout<E> {
  const rows: WallRow<E>[] = [];
  const files: E[] = [];
  let topPx = 0;
  const addRow = (row: Row<E>) => {
    let leftPx = 0;
    const tiles = row.entries.map((entry) => {
      const tile = { entry, leftPx, widthPx: row.heightPx * shownRatio(ratioOf(entry)), index: files.push(entry) - 1 };
      leftPx += tile.widthPx + GAP_PX;
      return tile;
    });
    rows.push({ topPx, heightPx: row.heightPx, tiles });
    topPx += row.heightPx + GAP_PX;
  };
  for (const { folder, own } of sectionsOf(entries)) {
    if (folder.path !== "") {
      rows.push({ topPx, heightPx: HEADING_HEIGHT_PX, folder });
      topPx += HEADING_HEIGHT_PX;
    }
    fillRows(own, ratioOf, widthPx).forEach(addRow);
  }
  return { rows, files, heightPx: topPx };
}

/** @returns the files in the order in which a wall shows them */
export function inWallOrder<E extends TreeEntry>(entries: readonly E[]): readonly E[] {
  return sectionsOf(entries).flatMap(({ own }) => own);
}

interface Section<E extends TreeEntry> {
  folder: EntryFolder<E>;
  /** The files that are directly in the folder. */
  own: readonly E[];
}

/** The folders that have files or nothing at all, each before its subfolders. */
function sectionsOf<E extends TreeEntry>(entries: readonly E[]): Section<E>[] {
  const sections: Section<E>[] = [];
  const addFolder = (folder: EntryFolder<E>) => {
    const own = folder.children.filter((child): child is E => !(child instanceof EntryFolder));
    if (own.length > 0 || folder.children.length === 0) sections.push({ folder, own });
    for (const child of folder.children) if (child instanceof EntryFolder) addFolder(child);
  };
  addFolder(toFolders(entries));
  return sections;
}

interface Row<E> {
  entries: readonly E[];
  heightPx: number;
}

/** Fills rows one after another. */
function fillRows<E>(entries: readonly E[], ratioOf: (entry: E) => number, widthPx: number): Row<E>[] {
  const isPhone = widthPx < PHONE_WIDTH_PX;
  const target = isPhone ? widthPx / 2.4 : Math.min(Math.max(widthPx / 5, ROW_HEIGHT_PX.from), ROW_HEIGHT_PX.to);
  const heightOf = (count: number, ratios: number) => (widthPx - GAP_PX * (count - 1)) / ratios;
  const rows: Row<E>[] = [];
  let row: E[] = [];
  let ratios = 0;
  const end = (heightPx: number) => {
    rows.push({ entries: row, heightPx });
    row = [];
    ratios = 0;
  };
  for (const entry of entries) {
    const ratio = shownRatio(ratioOf(entry));
    if (!isPhone && row.length > 0) {
      const without = heightOf(row.length, ratios);
      const within = heightOf(row.length + 1, ratios + ratio);
      if (without <= TALLEST * target && without - target < target - within) end(without);
    }
    row.push(entry);
    ratios += ratio;
    const heightPx = heightOf(row.length, ratios);
    if (isPhone ? row.length === 2 : heightPx <= target) end(heightPx);
  }
  // The last row is not stretched.
  if (row.length > 0) end(Math.min(heightOf(row.length, ratios), target));
  return rows;
}

function shownRatio(ratio: number): number {
  return Math.min(Math.max(ratio, RATIO.from), RATIO.to);
}

/**
 * @param fromPx the upper edge of the view, from the wall's top @param toPx its lower edge
 * @returns the indexes of the first row in view, and of the row after the last
 */
export function rowsInView(
  rows: readonly WallRow<TreeEntry>[],
  fromPx: number,
  toPx: number,
): { first: number; end: number } {
  const first = firstIndex(rows, ({ topPx, heightPx }) => topPx + heightPx > fromPx);
  return {
    first,
    end: Math.max(
      first,
      firstIndex(rows, ({ topPx }) => topPx >= toPx),
    ),
  };
}

/** Binary search. @param isBehind false for all rows up to one, true for the others */
function firstIndex<Row>(rows: readonly Row[], isBehind: (row: Row) => boolean): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const row = rows[middle];
    if (row && isBehind(row)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Where a key moves the focus in a wall (WAI-ARIA Authoring Practices, Grid).
 * @param index of the focused file @param key as in a `KeyboardEvent` @param pageRows rows in view
 * @returns the index of the file to focus; null for a key that moves nothing
 */
export function moveInWall<E extends TreeEntry>(
  { rows, files }: WallLayout<E>,
  index: number,
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  pageRows: number,
): number | null {
  const tileRows = rows.filter((row): row is TilesRow<E> => row.tiles !== undefined);
  const at = tileRows.findIndex(({ tiles }) => tiles.some((tile) => tile.index === index));
  const row = tileRows[at];
  const tile = row?.tiles.find((one) => one.index === index);
  if (!row || !tile) return null;
  const last = files.length - 1;
  const inRow = (distance: number) => {
    const other = tileRows[Math.min(Math.max(at + distance, 0), tileRows.length - 1)];
    return other === undefined || other === row ? index : nearest(other.tiles, tile.leftPx + tile.widthPx / 2).index;
  };
  switch (key) {
    case "ArrowRight":
      return Math.min(index + 1, last);
    case "ArrowLeft":
      return Math.max(index - 1, 0);
    case "ArrowDown":
      return inRow(1);
    case "ArrowUp":
      return inRow(-1);
    case "PageDown":
      return inRow(pageRows);
    case "PageUp":
      return inRow(-pageRows);
    case "Home":
      return ctrlKey ? 0 : (row.tiles[0]?.index ?? index);
    case "End":
      return ctrlKey ? last : (row.tiles.at(-1)?.index ?? index);
    default:
      return null;
  }
}

function nearest<E extends TreeEntry>(tiles: readonly WallTile<E>[], centerPx: number): WallTile<E> {
  const distance = ({ leftPx, widthPx }: WallTile<E>) => Math.abs(leftPx + widthPx / 2 - centerPx);
  return tiles.reduce((best, tile) => (distance(tile) < distance(best) ? tile : best));
}
