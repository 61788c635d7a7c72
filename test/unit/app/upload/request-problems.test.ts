import { expect, it } from "vitest";
import { findRequestProblems } from "#app/features/upload/request/request-problems.ts";

const OPEN = { kinds: null, mostFileBytes: 100, mostFiles: 3, left: { bytes: null, transfers: null } };

/** Files by path. A path with a slash at its end is an empty folder. */
function listOf(files: Record<string, number>) {
  const entries = Object.entries(files).map(([path, sizeBytes]) => {
    const file = path.endsWith("/") ? null : new File([], path);
    return { path, file, sizeBytes, modifiedMs: 0 };
  });
  return { entries, bytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

it("takes what is exactly within the bounds", () => {
  const request = { ...OPEN, kinds: ["pdf"], left: { bytes: 200, transfers: 1 } };
  expect(findRequestProblems(listOf({ "a.pdf": 100, "b/c.PDF": 100, "d/": 0 }), request)).toEqual([]);
});

it("names files of other kinds, and does not take a folder for one", () => {
  const problems = findRequestProblems(listOf({ "a.pdf": 1, "notes.txt": 1, pdf: 1, "empty/": 0 }), {
    ...OPEN,
    mostFiles: 10,
    kinds: ["pdf", "tar.gz"],
  });
  expect(problems).toMatchObject([{ kind: "kinds", files: [{ path: "notes.txt" }, { path: "pdf" }] }]);
});

it("names files that are too large", () => {
  const problems = findRequestProblems(listOf({ "a.bin": 100, "b.bin": 101 }), OPEN);
  expect(problems).toMatchObject([{ kind: "sizes", mostFileBytes: 100, files: [{ path: "b.bin" }] }]);
});

it("compares all files together with what is left, and counts them", () => {
  const problems = findRequestProblems(listOf({ a: 60, b: 60, c: 1, d: 1 }), {
    ...OPEN,
    left: { bytes: 121, transfers: null },
  });
  expect(problems).toEqual([
    { kind: "bytes", leftBytes: 121 },
    { kind: "count", most: 3 },
  ]);
});
