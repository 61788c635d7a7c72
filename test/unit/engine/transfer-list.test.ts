import { describe, expect, it } from "vitest";
import { itemsOfInput } from "#app/features/upload/transfer/chosen-items.ts";
import { fingerprintOf, prepareList } from "#engine/transfer/transfer-list.ts";

function item(path: string, text = path, lastModified = 1_700_000_000_000) {
  return { path, file: new File([text], path.split("/").at(-1) ?? "", { lastModified }) };
}

describe("the list of a transfer", () => {
  it("is in the order of the paths' UTF-16 units, whatever the order of the drop [TRF-45]", async () => {
    const items = [item("b/ä.txt"), item("b/a.txt"), item("B.txt"), { path: "a/", file: null }];
    const list = prepareList(items);
    expect(list.entries.map(({ path }) => path)).toEqual(["B.txt", "a/", "b/a.txt", "b/ä.txt"]);
    expect(await fingerprintOf(prepareList(items.toReversed()).entries)).toBe(await fingerprintOf(list.entries));
  });

  it("gives equal names their numbers independently of the order of the drop", () => {
    const items = [item("photo.jpg", "one"), item("Photo.jpg", "three")];
    const paths = (list: typeof items) => prepareList(list).entries.map(({ path, sizeBytes }) => [path, sizeBytes]);
    expect(paths(items)).toEqual([
      ["Photo.jpg", 5],
      ["photo (2).jpg", 3],
    ]);
    expect(paths(items.toReversed())).toEqual(paths(items));
  });

  it("tells its bytes, changed names and files left out", () => {
    const { bytes, changedNames, leftOut, entries } = prepareList([
      item("a:b.txt", "12345"),
      item("sub/.DS_Store", "system"),
      item("c.txt", "678"),
    ]);
    expect({ bytes, changedNames, leftOut, paths: entries.map(({ path }) => path) }).toEqual({
      bytes: 8,
      changedNames: 1,
      leftOut: 1,
      paths: ["a_b.txt", "c.txt"],
    });
  });

  it("has whole dates, and none for an empty folder", () => {
    const { entries } = prepareList([item("a.txt", "", 1_700_000_000_000.7), { path: "empty", file: null }]);
    expect(entries.map(({ path, sizeBytes, modifiedMs }) => [path, sizeBytes, modifiedMs])).toEqual([
      ["a.txt", 0, 1_700_000_000_000],
      ["empty/", 0, 0],
    ]);
  });

  it("takes the paths of a chosen folder from an input", () => {
    const file = new File(["x"], "b.txt");
    Object.defineProperty(file, "webkitRelativePath", { value: "a/b.txt" });
    const plain = new File(["y"], "c.txt");
    Object.defineProperty(plain, "webkitRelativePath", { value: "" });
    expect(itemsOfInput([file, plain]).map(({ path }) => path)).toEqual(["a/b.txt", "c.txt"]);
  });
});
