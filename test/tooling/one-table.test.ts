import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Files with texts and checks, without the plan table and the units. */
const SOURCES = [
  ...globSync("{app,domain,durable-objects,engine,messages,worker}/**/*.{ts,tsx}"),
  ...globSync("migrations/**/*.sql"),
  ...globSync("public/**/*.{html,txt,svg,webmanifest}"),
].filter((file) => file !== "domain/plans.ts" && file !== "domain/units.ts");

/** Matching lines with their files, without comments. */
function linesWith(pattern: RegExp): string[] {
  return SOURCES.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => {
        const isComment = /^\s*(?:\/\/|\/\*|\*|--)/.test(line);
        return !isComment && pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [];
      }),
  );
}

describe("the numbers of the plans", () => {
  it.each([
    ["writes a size in words", /\d\s?(?:KB|MB|GB|TB)\b/],
    ["computes a plan's size", /\b(?:500 \* MIB|(?:2|10|50|100) \* GIB|TIB)\b|\b1024 ?\*/],
    ["writes a price", /\b1?9[.,]99\b|\b1?999\b/],
  ])("are in one module: no other source %s [CONST-1]", (_what, pattern) => {
    expect(SOURCES.length).toBeGreaterThan(300);
    expect(linesWith(pattern)).toEqual([]);
  });
});
