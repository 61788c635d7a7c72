import { describe, expect, it } from "vitest";
import { itemsOfDrop } from "#app/features/upload/transfer/chosen-items.ts";
import { DroppedFile, DroppedFolder } from "./dropped-entries.ts";

type Node = string | Error | { [name: string]: Node };

/** A hundred entries of a folder at a time, as a browser answers them. */
function entryOf(fullPath: string, node: Node): FileSystemEntry {
  if (node instanceof Error) return new DroppedFile(fullPath, () => Promise.reject(node));
  if (typeof node === "string") {
    return new DroppedFile(fullPath, () => Promise.resolve(new File([node], fullPath.split("/").at(-1) ?? "")));
  }
  const children = Object.entries(node).map(([name, child]) => entryOf(`${fullPath}/${name}`, child));
  const failure = node["!"];
  return new DroppedFolder(fullPath, () => {
    if (failure instanceof Error && children.length < 100) return Promise.reject(failure);
    return Promise.resolve(children.splice(0, 100));
  });
}

const drop = (nodes: Record<string, Node>) =>
  itemsOfDrop(Object.entries(nodes).map(([name, node]) => ({ entry: entryOf(`/${name}`, node), file: null })));

describe("a drop", () => {
  it("holds every file of its folders, however many there are [TRF-45]", async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`${n}.txt`, `${n}`]));
    const { items, unreadable } = await drop({ folder: { many, deep: { er: { "a.txt": "a" } } }, "b.txt": "b" });
    expect(items).toHaveLength(252);
    expect(new Set(items.map(({ path }) => path)).size).toBe(252);
    expect(items.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["b.txt", "folder/deep/er/a.txt", "folder/many/0.txt", "folder/many/249.txt"]),
    );
    expect(unreadable).toEqual([]);
  });

  it("holds empty folders, and no folder that has something", async () => {
    const { items } = await drop({ folder: { empty: {}, full: { "a.txt": "a" } } });
    expect(items.map(({ path, file }) => [path, file === null]).sort()).toEqual([
      ["folder/empty", true],
      ["folder/full/a.txt", false],
    ]);
  });

  it("names files and folders that cannot be read, and holds the others [TRF-45]", async () => {
    const denied = new Error("denied");
    const { items, unreadable } = await drop({
      folder: { "secret.txt": denied, locked: { "!": denied }, "a.txt": "a" },
    });
    expect(items.map(({ path }) => path)).toEqual(["folder/a.txt"]);
    expect(unreadable.sort()).toEqual(["folder/locked/", "folder/secret.txt"]);
  });

  it("reads a file anew", async () => {
    const { items } = await drop({ "a.txt": "a" });
    const fresh = await items[0]?.reload?.();
    expect(await fresh?.text()).toBe("a");
    expect(fresh).not.toBe(items[0]?.file);
  });
});
