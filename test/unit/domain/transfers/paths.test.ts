import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPath, PathSet, type PathConflict } from "#domain/transfers/paths.ts";

describe("a path", () => {
  it.each([
    "a",
    "a.txt",
    "a/b/c.txt",
    "empty/",
    "a/empty/",
    ".gitignore",
    " leading",
    "a..b",
    "...a",
    "Überblick – März.pdf",
    "日本語/🎉.txt",
    "שלום\u200e.txt",
    "COM10",
    "console.log",
    "nul_",
    "%2e%2e",
    "~",
    "$Recycle",
    "x".repeat(255),
    "ü".repeat(127),
    `${"a/".repeat(63)}b`,
    "a/".repeat(64),
    `${"x".repeat(255)}/`.repeat(4),
    "__proto__/constructor",
  ])("is taken: %j", (path) => {
    expect(checkPath(path)).toBe(true);
  });

  it.each([
    "",
    "/",
    "/a",
    "a//b",
    "a//",
    ".",
    "..",
    "../a",
    "a/../b",
    "a/.",
    "a./b",
    "a /b",
    "a.",
    "a ",
    "C:/a",
    "C:a",
    "a\\b",
    "a<b",
    "a>b",
    'a"b',
    "a|b",
    "a?b",
    "a*b",
    "a\u0000b",
    "a\nb",
    "a\u007fb",
    "a\u0085b",
    "a\u2028b",
    "invoice\u202egnp.exe",
    "a\u2066b",
    "\ud800a",
    "e\u0301",
    "CON",
    "a/nul.txt",
    "Aux.tar.gz",
    "com1",
    "LPT\u00b9.txt",
    "CONIN$",
    "PRN /a",
    "x".repeat(256),
    "ü".repeat(128),
    `${"a/".repeat(64)}b`,
    "a/".repeat(65),
    `${`${"x".repeat(255)}/`.repeat(4)}y`,
  ])("is refused: %j", (path) => {
    expect(checkPath(path)).toBe(false);
  });
});

describe("the paths of a transfer", () => {
  it.each<[string[], string, PathConflict | null]>([
    [[], "a", null],
    [["a"], "a", "same"],
    [["Über/A.txt"], "über/a.TXT", "same"],
    [["a/"], "A/", "same"],
    [["a/b"], "a/c", null],
    [["a/b"], "A/c", null],
    [["a/"], "a/b", null],
    [["a/b"], "a/", null],
    [["a"], "a/b", "folder"],
    [["a"], "A/b/c/", "folder"],
    [["a/b/c"], "a", "folder"],
    [["a/b/c"], "A/B", "folder"],
    [["a"], "a/", "folder"],
    [["a/"], "a", "folder"],
    [["a", "a!", "a0"], "a/b", "folder"],
    [["a!", "a/b", "a0"], "a", "folder"],
    [["a!", "a0", "ab/c"], "a", null],
  ])("%j beside %j: %j", (paths, path, conflict) => {
    expect(new PathSet(paths).conflictOf(path)).toBe(conflict);
    const grown = new PathSet();
    for (const added of paths) grown.add(added);
    expect(grown.conflictOf(path)).toBe(conflict);
  });

  it("find what a comparison of all pairs finds, in any order [TRF-6]", () => {
    const segment = fc.constantFrom("a", "A", "b", "a!", "a0", "ß");
    const anyPath = fc
      .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([segments, isFolder]) => `${segments.join("/")}${isFolder ? "/" : ""}`);
    fc.assert(
      fc.property(fc.array(anyPath, { maxLength: 30 }), (candidates) => {
        const set = new PathSet();
        const taken: string[] = [];
        for (const path of candidates) {
          const expected = conflictAmong(taken, path);
          expect(set.conflictOf(path)).toBe(expected);
          expect(new PathSet(taken).conflictOf(path)).toBe(expected);
          if (expected !== null) continue;
          set.add(path);
          taken.push(path);
        }
      }),
    );
  });

  it("take a path again after it was removed", () => {
    const set = new PathSet(["a/b", "c"]);
    set.remove("A/B");
    set.remove("never there");
    expect([set.conflictOf("a"), set.conflictOf("a/b"), set.conflictOf("c")]).toEqual([null, null, "same"]);
  });

  it("see that a folder of the last path became free", () => {
    const set = new PathSet();
    set.add("a/b");
    set.remove("a/b");
    set.add("a");
    expect(set.conflictOf("a/b")).toBe("folder");
  });

  it("hold 10,000", () => {
    const set = new PathSet();
    for (let index = 0; index < 10_000; index += 1) set.add(`folder ${index % 7}/${(index * 7919) % 10_000}.txt`);
    expect(set.conflictOf("FOLDER 0/0.txt")).toBe("same");
    expect(set.conflictOf("folder 0/0.txt/a")).toBe("folder");
    expect(set.conflictOf("folder 0")).toBe("folder");
    expect(set.conflictOf("folder 0/10000.txt")).toBeNull();
  });
});

function conflictAmong(taken: string[], path: string): PathConflict | null {
  const key = path.toLowerCase();
  const others = taken.map((other) => other.toLowerCase());
  if (others.includes(key)) return "same";
  const isBelow = (inner: string, outer: string) => !outer.endsWith("/") && inner.startsWith(`${outer}/`);
  return others.some((other) => isBelow(key, other) || isBelow(other, key)) ? "folder" : null;
}
