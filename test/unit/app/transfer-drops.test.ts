import { describe, expect, it } from "vitest";
import { itemsOfDrop } from "#app/features/upload/engine/transfer/chosen-items.ts";

type Node = string | Error | { [name: string]: Node };

/** What a browser hands out for a dropped file or folder: a hundred entries of a folder at a time. */
function entryOf(fullPath: string, node: Node): FileSystemEntry {
  const isDirectory = typeof node === "object" && !(node instanceof Error);
  const entry = { isDirectory, isFile: !isDirectory, fullPath, name: fullPath.split("/").at(-1) };
  if (!isDirectory) {
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) => {
      if (node instanceof Error) reject(node);
      else resolve(new File([node], entry.name ?? ""));
    };
    return { ...entry, file } as unknown as FileSystemEntry;
  }
  const children = Object.entries(node).map(([name, child]) => entryOf(`${fullPath}/${name}`, child));
  const createReader = () => {
    const left = [...children];
    return {
      readEntries: (resolve: (part: FileSystemEntry[]) => void, reject: (error: Error) => void) => {
        if (node["!"] instanceof Error && left.length < 100) reject(node["!"]);
        else resolve(left.splice(0, 100));
      },
    };
  };
  return { ...entry, createReader } as unknown as FileSystemEntry;
}

const drop = (nodes: Record<string, Node>) =>
  itemsOfDrop(Object.entries(nodes).map(([name, node]) => ({ entry: entryOf(`/${name}`, node), file: null })));

describe("a drop", () => {
  it("holds every file of its folders, however many there are", async () => {
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

  it("names files and folders that cannot be read, and holds the others", async () => {
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
