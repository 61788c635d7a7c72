import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Each section of ASVS 5.0.0 with its last requirement of level 1, or 0, and its last one of level 2. Levels ascend. */
const SECTIONS = `
  1.1 0 2, 1.2 5 9, 1.3 2 11, 1.4 0 3, 1.5 1 2
  2.1 1 3, 2.2 2 3, 2.3 1 4, 2.4 0 1
  3.2 2 2, 3.3 1 4, 3.4 2 6, 3.5 3 5, 3.7 0 2
  4.1 1 3, 4.2 0 1, 4.3 0 2, 4.4 1 4
  5.1 0 1, 5.2 2 3, 5.3 2 2, 5.4 0 3
  6.1 1 3, 6.2 8 12, 6.3 2 4, 6.4 2 4, 6.5 0 5, 6.6 0 3, 6.8 0 4
  7.1 0 3, 7.2 4 4, 7.3 0 2, 7.4 2 5, 7.5 0 2, 7.6 0 2
  8.1 1 2, 8.2 2 3, 8.3 1 1, 8.4 0 1
  9.1 3 3, 9.2 1 4
  10.1 0 2, 10.2 0 2, 10.3 0 4, 10.4 5 11, 10.5 0 5, 10.6 0 2, 10.7 0 3
  11.1 0 2, 11.2 0 3, 11.3 2 3, 11.4 1 4, 11.5 0 1, 11.6 0 1
  12.1 1 3, 12.2 2 2, 12.3 0 4
  13.1 0 1, 13.2 0 5, 13.3 0 2, 13.4 1 5
  14.1 0 2, 14.2 1 4, 14.3 1 3
  15.1 1 3, 15.2 1 3, 15.3 1 7
  16.1 0 1, 16.2 0 5, 16.3 0 4, 16.4 0 3, 16.5 0 3
  17.1 0 1, 17.2 0 4, 17.3 0 2
`;
const sections = Array.from(SECTIONS.matchAll(/([\d.]+) (\d+) (\d+)/g), ([, section = "", first, second]) => {
  return { section, lastOfOne: Number(first), last: Number(second) };
});

const security = readFileSync("SECURITY.md", "utf8");
const chapters = readFileSync("docs/asvs.md", "utf8")
  .split(/^## V/m)
  .slice(1)
  .map((text) => {
    const [holds = "", rest = ""] = text.split("**Not done.**");
    const [notDone = "", doesNotApply = ""] = rest.split("**Does not apply.**");
    return {
      name: `V${text.split("\n")[0]}`,
      holds: rowsOf(holds),
      notDone: rowsOf(notDone),
      other: rowsOf(doesNotApply),
    };
  });

/** Rows that begin with numbers of requirements. */
function rowsOf(text: string): { numbers: string[]; cells: string[] }[] {
  return text
    .split("\n")
    .filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, numbers = "", ...cells]) => ({ numbers: numbers.split(", "), cells }));
}

const numbersOf = (rows: { numbers: string[] }[]) => rows.flatMap(({ numbers }) => numbers);
const levelOf = (number: string) => {
  const [, section = "", place = ""] = /^(\d+\.\d+)\.(\d+)$/.exec(number) ?? [];
  const { lastOfOne = 0 } = sections.find((candidate) => candidate.section === section) ?? {};
  return Number(place) <= lastOfOne ? 1 : 2;
};

describe("the pages about ASVS", () => {
  it("name every requirement of levels 1 and 2 once", () => {
    const required = sections.flatMap(({ section, last }) =>
      Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
    );
    expect([required.length, required.filter((number) => levelOf(number) === 1).length]).toEqual([253, 70]);
    const named = chapters.flatMap(({ holds, notDone, other }) => numbersOf([...holds, ...notDone, ...other]));
    expect(named.sort()).toEqual(required.sort());
  });

  it("give what is not done its level", () => {
    const wrong = chapters
      .flatMap(({ notDone }) => notDone)
      .filter(({ numbers, cells }) => numbers.some((number) => String(levelOf(number)) !== cells[0]));
    expect(wrong).toEqual([]);
  });

  it("name only files that exist, and one for each requirement that holds", () => {
    const rows = chapters.flatMap(({ holds }) => holds.map(({ numbers, cells }) => [numbers, cells[1] ?? ""] as const));
    const lost = rows.flatMap(([numbers, cell]) => {
      const paths = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
      return paths.length > 0 && paths.every((path) => existsSync(path)) ? [] : [`${numbers.join(", ")}: ${cell}`];
    });
    expect(lost).toEqual([]);
  });

  it("agree: the summary counts each chapter, and lists what is not done", () => {
    const counts = chapters.map(({ name, holds, notDone, other }) =>
      [name, ...[holds, notDone, other].map((rows) => numbersOf(rows).length)].join(" | "),
    );
    const rows = [...security.matchAll(/^\| (V\d+ [^|]+?) +\| .+? \| +(\d+) \| +(\d+) \| +(\d+) \|$/gm)];
    expect(rows.map(([, ...cells]) => cells.join(" | "))).toEqual(counts);
    const [, list = ""] = security.split("### Not done");
    const listed = [...list.matchAll(/\b\d+\.\d+\.\d+\b/g)].map(([number]) => number);
    expect(listed.sort()).toEqual(chapters.flatMap(({ notDone }) => numbersOf(notDone)).sort());
  });
});
