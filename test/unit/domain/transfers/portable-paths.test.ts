import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPath, PathSet } from "#domain/transfers/paths.ts";
import { portablePaths } from "#domain/transfers/portable-paths.ts";

const file = (path: string) => ({ path, isFolder: false });
const folder = (path: string) => ({ path, isFolder: true });

/** Every path passes the server's check beside all others. */
function expectTaken(paths: (string | null)[]): void {
  const set = new PathSet();
  for (const path of paths) {
    if (path === null) continue;
    expect([path, checkPath(path)]).toEqual([path, true]);
    expect([path, set.conflictOf(path)]).toEqual([path, null]);
    set.add(path);
  }
}

describe("the portable path", () => {
  it.each([
    ["a/b.txt", "a/b.txt"],
    ["/a//b.txt", "a/b.txt"],
    ["", "_"],
    [".", "_"],
    ["../../etc/passwd", "__/__/etc/passwd"],
    ["C:/Windows/a.exe", "C_/Windows/a.exe"],
    ["a\\b", "a_b"],
    ['<>:"|?*', "_______"],
    ["a\u0000b\u0085c\u007fd", "a_b_c_d"],
    ["invoice\u202egnp.exe", "invoice_gnp.exe"],
    ["a. .", "a___"],
    ["a. /b", "a__/b"],
    ["\ud800a", "\ufffda"],
    ["e\u0301", "\u00e9"],
    ["CON", "_CON"],
    ["aux/nul.txt", "_aux/_nul.txt"],
    ["COM1.tar.gz", "_COM1.tar.gz"],
    [`${"x".repeat(300)}.jpeg`, `${"x".repeat(235)}.jpeg`],
    [`${"ü".repeat(300)}.txt`, `${"ü".repeat(118)}.txt`],
    ["x".repeat(300), "x".repeat(240)],
    [`${"x".repeat(239)}.${"y".repeat(200)}`, `${"x".repeat(239)}_`],
    [`CON${" ".repeat(300)}.txt`, `_CON${" ".repeat(233)}.txt`],
  ])("of %j is %j", (path, portable) => {
    expect(portablePaths([file(path)]).paths).toEqual([portable]);
    expectTaken([portable]);
  });

  it("of a path that is too deep or too long keeps the name", () => {
    const { paths } = portablePaths([
      file(`${"a/".repeat(80)}b.txt`),
      file(`${`${"x".repeat(200)}/`.repeat(10)}photo.jpg`),
      folder(`${"é".repeat(255)}/`.repeat(64)),
    ]);
    expectTaken(paths);
    expect(paths[0]).toMatch(/^(a\/){63}b\.txt$/);
    expect(paths[1]).toMatch(/\/photo\.jpg$/);
    expect(paths[2]).toMatch(/^(é+\/){64}$/);
  });
});

describe("equal paths", () => {
  it.each([
    [
      ["a.txt", "A.TXT", "a.txt"],
      ["a.txt", "A (2).TXT", "a (3).txt"],
    ],
    [
      ["a.txt", "a.txt", "a (2).txt"],
      ["a.txt", "a (3).txt", "a (2).txt"],
    ],
    [
      ["a?", "a*", "a|"],
      ["a_", "a_ (2)", "a_ (3)"],
    ],
    [
      [".bashrc", ".bashrc"],
      [".bashrc", ".bashrc (2)"],
    ],
    [
      ["a.b/c", "A.B/C"],
      ["a.b/c", "A.B/C (2)"],
    ],
    [
      ["a", "A/b"],
      ["a (2)", "A/b"],
    ],
    [
      ["a/b", "a", "a (2)/c"],
      ["a/b", "a (3)", "a (2)/c"],
    ],
  ])("%j become %j", (chosen, paths) => {
    expect(portablePaths(chosen.map(file)).paths).toEqual(paths);
    expectTaken(paths);
  });

  it("of empty folders and files become different ones", () => {
    const { paths } = portablePaths([folder("a"), folder("A/"), file("a"), file("a/b"), folder("c"), file("c (2)")]);
    expect(paths).toEqual(["a/", "A (2)/", "a (3)", "a/b", "c/", "c (2)"]);
    expectTaken(paths);
  });

  it("of 10,000 files become different ones", () => {
    const { paths, changedCount } = portablePaths(Array.from({ length: 10_000 }, () => file("a.txt")));
    expect(new Set(paths).size).toBe(10_000);
    expect(paths.at(-1)).toBe("a (10000).txt");
    expect(changedCount).toBe(9999);
  });
});

describe("a list of files", () => {
  it("is told how many names were changed and how many files left out", () => {
    const list = [
      file("a/.DS_Store"),
      file("a/Thumbs.db"),
      file("DESKTOP.INI"),
      file("__MACOSX/a/b"),
      file("a/b"),
      file("e\u0301"),
      file("a:b"),
      folder("empty"),
    ];
    expect(portablePaths(list)).toEqual({
      paths: [null, null, null, null, "a/b", "\u00e9", "a_b", "empty/"],
      changedCount: 1,
      leftOut: 4,
    });
  });

  it("gets paths that the server takes, whatever its names are", () => {
    const hostileSegment = fc.oneof(
      fc.constantFrom("..", ".", "", "C:", "CON", "con .txt", "a", "A", "a.", "a (2)", "a_", "\ud800", "e\u0301"),
      fc.constantFrom("x".repeat(300), `CONOUT$${"y".repeat(300)}.abcdef`, `${"é".repeat(200)}.txt`),
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    );
    const anyItem = fc.record({
      path: fc.array(hostileSegment, { maxLength: 5 }).map((segments) => segments.join("/")),
      isFolder: fc.boolean(),
    });
    const deepItem = fc.record({
      path: fc.array(hostileSegment, { minLength: 60, maxLength: 90 }).map((segments) => segments.join("/")),
      isFolder: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: anyItem }, deepItem), { maxLength: 30 }), (list) => {
        const { paths } = portablePaths(list);
        expect(paths).toHaveLength(list.length);
        expectTaken(paths);
      }),
    );
  });
});
