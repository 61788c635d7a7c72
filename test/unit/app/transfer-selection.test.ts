import { describe, expect, it } from "vitest";
import {
  changeSelection,
  isSelected,
  NO_SELECTION,
  type Selection,
} from "#app/features/download/transfer/selection.ts";
import { toFolders, type TreeEntry } from "#app/ui/entries/entry-folders.ts";

const entry = (n: number, path: string): TreeEntry => ({ n, path, sizeBytes: 1 });
const LOADED = [entry(0, "a/0"), entry(1, "a/1"), entry(2, "b/2")];
const LATER = [entry(3, "a/3"), entry(4, "b/4"), entry(5, "c/5")];

function folder(path: string) {
  const found = toFolders(LOADED).children.find((child) => "children" in child && child.path === path);
  if (!found || !("children" in found)) throw new Error(`no folder ${path}`);
  return found;
}

function change(selection: Selection, numbers: number[], path?: string): Selection {
  const before = LOADED.filter((each) => isSelected(selection, each));
  return changeSelection(selection, before, new Set(numbers), path === undefined ? undefined : folder(path));
}

function selectedNumbers(selection: Selection): number[] {
  return [...LOADED, ...LATER].filter((each) => isSelected(selection, each)).map(({ n }) => n);
}

const EVERYTHING: Selection = { ...NO_SELECTION, folders: [""] };

describe("a selection of a list that is still loading", () => {
  it("of a folder takes the files that load later", () => {
    expect(selectedNumbers(change(NO_SELECTION, [0, 1], "a/"))).toEqual([0, 1, 3]);
  });

  it("of everything stays when one file is taken out", () => {
    expect(selectedNumbers(change(EVERYTHING, [0, 2]))).toEqual([0, 2, 3, 4, 5]);
  });

  it("of everything stays without a folder that is taken out, also what of it loads later", () => {
    expect(selectedNumbers(change(EVERYTHING, [2], "a/"))).toEqual([2, 4, 5]);
  });

  it("of a folder stays when a file of another folder is selected", () => {
    const folderSelected = change(NO_SELECTION, [0, 1], "a/");
    expect(selectedNumbers(change(folderSelected, [0, 1, 2]))).toEqual([0, 1, 2, 3]);
  });

  it("takes back what was taken out", () => {
    const without = change(change(EVERYTHING, [2], "a/"), []);
    expect(selectedNumbers(without)).toEqual([4, 5]);
    const again = change(without, [0, 1], "a/");
    expect(selectedNumbers(again)).toEqual([0, 1, 3, 4, 5]);
    expect(selectedNumbers(change(again, [0, 1, 2]))).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
