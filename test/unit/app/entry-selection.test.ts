import { expect, it } from "vitest";
import { boxStateOf, toggleEntries, type EntrySelection } from "#app/ui/entries/entry-rows.ts";

const ENTRIES = [0, 1, 2].map((n) => ({ n, path: `${n}.txt`, sizeBytes: 1 }));

const selecting = (selected: number[], canSelect?: (n: number) => boolean): EntrySelection => ({
  selected: new Set(selected),
  onChange: () => undefined,
  ...(canSelect ? { canSelect: ({ n }) => canSelect(n) } : {}),
});

it("a box is full when all that can be selected is", () => {
  expect(boxStateOf(ENTRIES, selecting([]))).toBe("none");
  expect(boxStateOf(ENTRIES, selecting([1]))).toBe("some");
  expect(boxStateOf(ENTRIES, selecting([0, 1, 2]))).toBe("all");
  expect(
    boxStateOf(
      ENTRIES,
      selecting([0, 1], (n) => n < 2),
    ),
  ).toBe("all");
  expect(
    boxStateOf(
      ENTRIES,
      selecting([], () => false),
    ),
  ).toBe("disabled");
});

it("a click selects what is missing, and then takes it all back, and nothing else", () => {
  expect([...toggleEntries(ENTRIES, selecting([7, 1]))].sort()).toEqual([0, 1, 2, 7]);
  expect([...toggleEntries(ENTRIES, selecting([7, 0, 1, 2]))]).toEqual([7]);
});

it("a click leaves alone what cannot be selected", () => {
  expect([
    ...toggleEntries(
      ENTRIES,
      selecting([], (n) => n !== 1),
    ),
  ]).toEqual([0, 2]);
});
