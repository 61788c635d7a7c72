import { describe, expect, it } from "vitest";
import { EMPTY_LIST, extendList, rootsOf, withoutEntries } from "#app/features/upload/transfer/chosen-list.ts";
import { nameOf } from "#app/ui/entries/entry-folders.ts";
import type { ChosenItem } from "#engine/transfer/transfer-list.ts";

function item(path: string, text = "x", lastModified = 1000): ChosenItem {
  return { path, file: new File([text], path, { lastModified }) };
}

const folder = (path: string): ChosenItem => ({ path, file: null });

const listOfPaths = (...paths: string[]) =>
  extendList(
    EMPTY_LIST,
    paths.map((path) => item(path)),
  ).list;

describe("extendList", () => {
  it("adds new files and tells which they are", () => {
    const { list, added, alreadyThere } = extendList(listOfPaths("a.txt"), [item("b/c.txt", "xyz")]);
    expect(list.entries.map(({ path }) => path)).toEqual(["a.txt", "b/c.txt"]);
    expect(list.bytes).toBe(4);
    expect(added.entries.map(({ path }) => path)).toEqual(["b/c.txt"]);
    expect(added.bytes).toBe(3);
    expect(alreadyThere).toBe(0);
  });

  it("leaves out what is in the list already: the same path, size and date", () => {
    const first = extendList(EMPTY_LIST, [item("a.txt"), folder("empty")]).list;
    const { added, alreadyThere } = extendList(first, [item("a.txt"), folder("empty")]);
    expect(added.entries).toEqual([]);
    expect(alreadyThere).toBe(2);
  });

  it("gives a new file of the same name another one, and keeps that of the old [TRF-53]", () => {
    const old = listOfPaths("a.txt");
    const { list, added } = extendList(old, [item("a.txt", "other")]);
    expect(list.entries.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
      ["a (2).txt", 5],
      ["a.txt", 1],
    ]);
    expect(added.entries.map(({ path }) => path)).toEqual(["a (2).txt"]);
  });

  it("adds up what earlier choices had changed and left out", () => {
    const first = extendList(EMPTY_LIST, [item("a:b"), item(".DS_Store")]).list;
    const { list } = extendList(first, [item("c?"), item("Thumbs.db")]);
    expect(list).toMatchObject({ changedNames: 2, leftOut: 2 });
  });
});

it("a list without some entries keeps its notices", () => {
  const list = { ...listOfPaths("a", "b", "c"), changedNames: 1, leftOut: 2 };
  const rest = withoutEntries(list, new Set(list.entries.slice(1)));
  expect(rest.entries.map(({ path }) => path)).toEqual(["a"]);
  expect(rest).toMatchObject({ bytes: 1, changedNames: 1, leftOut: 2 });
});

it("at the top of a list are its folders, then its files, each once", () => {
  const list = listOfPaths("a.txt", "Holiday/a.txt", "Holiday/b/c.txt", "Work/d.txt", "z.txt");
  expect(rootsOf(list)).toEqual(["Holiday", "Work", "a.txt", "z.txt"]);
});

it("a name is the last part of a path, of a folder too", () => {
  expect([nameOf("a/b.txt"), nameOf("a/b/"), nameOf("c")]).toEqual(["b.txt", "b", "c"]);
});
