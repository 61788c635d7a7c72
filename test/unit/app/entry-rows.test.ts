import { describe, expect, it } from "vitest";
import { toFolders, type TreeEntry } from "#app/ui/entries/entry-folders.ts";
import { commandOfKey, listRows, openAtFirst, toggleFolder, type TreeRow } from "#app/ui/entries/entry-rows.ts";

const entriesOf = (...paths: string[]): TreeEntry[] => paths.map((path, n) => ({ n, path, sizeBytes: 10 }));

/** Each row with its level: folders by their path, entries by their number. */
const shown = (rows: readonly TreeRow<TreeEntry>[]) => rows.map(({ key, level }) => `${level} ${key}`);

function rowsOf(paths: string[], initially: "all" | "top" = "all", toggled: string[] = []) {
  const root = toFolders(entriesOf(...paths));
  const open = toggled.reduce(toggleFolder, openAtFirst(root, initially));
  return listRows(root, open);
}

describe("the rows of a tree", () => {
  it("are the list's entries in its order, below their folders", () => {
    expect(shown(rowsOf(["a.txt", "b/c/d.txt", "b/e.txt", "f.txt"]))).toEqual([
      "1 0",
      "1 b/",
      "2 b/c/",
      "3 1",
      "2 2",
      "1 3",
    ]);
  });

  it("put an entry that was added later into the folder that is there", () => {
    expect(shown(rowsOf(["b/1.txt", "c.txt", "b/2.txt"]))).toEqual(["1 b/", "2 0", "2 2", "1 1"]);
  });

  it("show an empty folder as its entry, and a folder that holds something as a folder", () => {
    expect(shown(rowsOf(["empty/", "full/", "full/a.txt"]))).toEqual(["1 0", "1 full/", "2 2"]);
  });

  it("leave out what is in a closed folder, also in the open folders in it", () => {
    const paths = ["a/b/1.txt", "a/2.txt", "3.txt"];
    expect(shown(rowsOf(paths, "all", ["a/"]))).toEqual(["1 a/", "1 2"]);
    expect(shown(rowsOf(paths, "all", ["a/", "a/"]))).toEqual(["1 a/", "2 a/b/", "3 0", "2 1", "1 2"]);
  });

  it("begin, for a long list, at the first folder with more than one thing in it", () => {
    expect(shown(rowsOf(["a/b/c/1.txt", "a/b/2.txt"], "top"))).toEqual(["1 a/", "2 a/b/", "3 a/b/c/", "3 1"]);
    expect(shown(rowsOf(["a/1.txt", "b/2.txt"], "top"))).toEqual(["1 a/", "1 b/"]);
  });

  it("know the row of their folder", () => {
    expect(rowsOf(["x.txt", "a/1.txt", "a/b/2.txt"]).map(({ parent }) => parent)).toEqual([-1, -1, 1, 1, 3]);
  });
});

describe("a folder", () => {
  it("knows what is below it, its size and its name", () => {
    const [a] = toFolders(entriesOf("a/", "a/b c/1.txt", "a/2.txt")).children;
    expect(a).toMatchObject({ path: "a/", name: "a", sizeBytes: 30 });
    expect(a && "entries" in a && a.entries.map(({ n }) => n)).toEqual([0, 1, 2]);
    const [b] = a && "children" in a ? a.children : [];
    expect(b).toMatchObject({ path: "a/b c/", name: "b c", sizeBytes: 10 });
  });
});

describe("a key", () => {
  const rows = rowsOf(["a/1.txt", "a/2.txt", "b/3.txt", "4.txt"], "top", ["a/"]);
  const onRow = (key: string, index: number) => commandOfKey(key, rows, index, 3);

  it("moves between the rows and no further", () => {
    expect(shown(rows)).toEqual(["1 a/", "2 0", "2 1", "1 b/", "1 3"]);
    expect(onRow("ArrowDown", 0)).toEqual({ does: "move", to: 1 });
    expect(onRow("ArrowDown", 4)).toEqual({ does: "move", to: 4 });
    expect(onRow("ArrowUp", 0)).toEqual({ does: "move", to: 0 });
    expect(onRow("PageDown", 0)).toEqual({ does: "move", to: 3 });
    expect(onRow("PageUp", 2)).toEqual({ does: "move", to: 0 });
    expect(onRow("End", 1)).toEqual({ does: "move", to: 4 });
    expect(onRow("Home", 3)).toEqual({ does: "move", to: 0 });
  });

  it("opens and closes folders, and goes in and out of them", () => {
    expect(onRow("ArrowRight", 0)).toEqual({ does: "move", to: 1 });
    expect(onRow("ArrowRight", 3)).toEqual({ does: "toggle", path: "b/" });
    expect(onRow("ArrowRight", 1)).toBeNull();
    expect(onRow("ArrowLeft", 0)).toEqual({ does: "toggle", path: "a/" });
    expect(onRow("ArrowLeft", 2)).toEqual({ does: "move", to: 0 });
    expect(onRow("ArrowLeft", 4)).toBeNull();
    expect(onRow("Enter", 3)).toEqual({ does: "toggle", path: "b/" });
    expect(onRow("Enter", 4)).toEqual({ does: "open" });
  });

  it("selects, or means nothing", () => {
    expect(onRow(" ", 2)).toEqual({ does: "select" });
    expect(onRow("x", 2)).toBeNull();
    expect(commandOfKey("ArrowDown", [], 0, 3)).toBeNull();
  });
});
