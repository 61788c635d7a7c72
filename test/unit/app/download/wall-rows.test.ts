import { describe, expect, it } from "vitest";
import {
  inWallOrder,
  layWall,
  moveInWall,
  rowsInView,
  type WallLayout,
} from "#app/features/download/pictures/wall-rows.ts";
import type { TreeEntry } from "#app/ui/entries/entry-folders.ts";

interface Pictured extends TreeEntry {
  ratio: number;
}

const file = (n: number, ratio = 1.5, path = `${n}.jpg`): Pictured => ({ n, path, sizeBytes: 1, ratio });
const filesOf = (...ratios: number[]) => ratios.map((ratio, n) => file(n, ratio));
const many = (count: number) => Array.from({ length: count }, (_, n) => file(n, [1.5, 0.67, 1, 1.78][n % 4]));
const lay = (entries: Pictured[], widthPx: number) => layWall(entries, ({ ratio }) => ratio, widthPx);

/** The numbers of each row, and the folder of each heading. */
const shown = ({ rows }: WallLayout<Pictured>) =>
  rows.map((row) => row.folder?.path ?? row.tiles?.map(({ entry }) => entry.n));

describe("a wall", () => {
  it("fills each row but the last from edge to edge, each picture in its own ratio", () => {
    const { rows } = lay(many(40), 1000);
    expect(rows.length).toBeGreaterThan(6);
    for (const { tiles = [], heightPx } of rows.slice(0, -1)) {
      const last = tiles.at(-1);
      expect((last?.leftPx ?? 0) + (last?.widthPx ?? 0)).toBeCloseTo(1000, 6);
      expect(heightPx).toBeGreaterThan(120);
      expect(heightPx).toBeLessThanOrEqual(280);
      for (const { entry, widthPx } of tiles) expect(widthPx / heightPx).toBeCloseTo(entry.ratio, 6);
      for (const [at, { leftPx }] of tiles.entries()) {
        const before = tiles[at - 1];
        if (before) expect(leftPx - before.leftPx - before.widthPx).toBeCloseTo(6, 6);
      }
    }
  });

  it("puts rows below each other without gaps but one", () => {
    const { rows, heightPx } = lay(many(40), 1000);
    for (const [at, { topPx }] of rows.entries()) {
      const before = rows[at - 1];
      expect(topPx).toBeCloseTo(before ? before.topPx + before.heightPx + 6 : 0, 6);
    }
    const last = rows.at(-1);
    expect(heightPx).toBeCloseTo((last?.topPx ?? 0) + (last?.heightPx ?? 0) + 6, 6);
  });

  it("stretches no last row", () => {
    const { rows } = lay(filesOf(1.5), 1000);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ heightPx: 200 });
    expect(rows[0]?.tiles?.[0]).toMatchObject({ leftPx: 0, widthPx: 300 });
  });

  it("has two pictures in a row on a phone", () => {
    expect(shown(lay(filesOf(1.5, 0.67, 1, 1.78, 1.5), 320))).toEqual([[0, 1], [2, 3], [4]]);
  });

  it("cuts very wide and very high pictures", () => {
    const [row] = lay(filesOf(20, 0.01), 320).rows;
    expect(row?.heightPx).toBeCloseTo((320 - 6) / (2.4 + 0.6), 6);
  });

  it("keeps every row but the last when the list goes on", () => {
    const [less, more] = [lay(many(40), 1000), lay(many(90), 1000)];
    expect(more.rows.slice(0, less.rows.length - 1)).toEqual(less.rows.slice(0, -1));
  });

  it("has headings for folders, below which their own files come before those of subfolders", () => {
    const paths = ["trip/b/1.jpg", "trip/2.jpg", "3.jpg", "trip/empty/", "trip/b/4.jpg"];
    const entries = paths.map((path, n) => file(n, 1.5, path));
    const layout = lay(entries, 1000);
    expect(shown(layout)).toEqual([[2], "trip/", [1], "trip/b/", [0, 4], "trip/empty/"]);
    expect(layout.files.map(({ n }) => n)).toEqual([2, 1, 0, 4]);
    expect(inWallOrder(entries).map(({ n }) => n)).toEqual([2, 1, 0, 4]);
    expect(layout.rows[1]).toMatchObject({ heightPx: 48 });
  });

  it("knows the rows in view", () => {
    const { rows } = lay(many(200), 1000);
    const third = rows[2];
    const seventh = rows[6];
    if (!third || !seventh) throw new Error("too few rows");
    expect(rowsInView(rows, third.topPx, seventh.topPx + 1)).toEqual({ first: 2, end: 7 });
    expect(rowsInView(rows, third.topPx - 7, seventh.topPx)).toEqual({ first: 1, end: 6 });
    expect(rowsInView(rows, -500, -100)).toEqual({ first: 0, end: 0 });
    expect(rowsInView(rows, 1e6, 2e6)).toEqual({ first: rows.length, end: rows.length });
  });
});

describe("the keyboard in a wall", () => {
  // Rows of four, with a heading after the first.
  const layout = lay(
    Array.from({ length: 12 }, (_, n) => file(n, 1.2, n < 4 ? `${n}.jpg` : `more/${n}.jpg`)),
    1000,
  );
  const press = (index: number, key: string, { ctrlKey = false, pageRows = 2 } = {}) =>
    moveInWall(layout, index, { key, ctrlKey }, pageRows);

  it("has these rows", () => {
    expect(shown(layout)).toEqual([[0, 1, 2, 3], "more/", [4, 5, 6, 7], [8, 9, 10, 11]]);
  });

  it.each([
    { from: 3, key: "ArrowRight", to: 4 },
    { from: 11, key: "ArrowRight", to: 11 },
    { from: 4, key: "ArrowLeft", to: 3 },
    { from: 0, key: "ArrowLeft", to: 0 },
    { from: 1, key: "ArrowDown", to: 5 },
    { from: 10, key: "ArrowDown", to: 10 },
    { from: 6, key: "ArrowUp", to: 2 },
    { from: 2, key: "ArrowUp", to: 2 },
    { from: 1, key: "PageDown", to: 9 },
    { from: 9, key: "PageUp", to: 1 },
    { from: 6, key: "Home", to: 4 },
    { from: 5, key: "End", to: 7 },
  ])("$key moves from $from to $to", ({ from, key, to }) => {
    expect(press(from, key)).toBe(to);
  });

  it("goes to the first and the last file with Ctrl", () => {
    expect(press(6, "Home", { ctrlKey: true })).toBe(0);
    expect(press(6, "End", { ctrlKey: true })).toBe(11);
  });

  it("moves nothing with other keys, or in an empty wall", () => {
    expect(press(6, "x")).toBeNull();
    expect(moveInWall(lay([], 1000), 0, { key: "ArrowDown", ctrlKey: false }, 1)).toBeNull();
  });
});
