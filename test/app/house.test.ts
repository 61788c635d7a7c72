import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

describe("the house", () => {
  it("the product's name is written in one place", () => {
    const sources = globSync("{app,domain,durable-objects,worker}/**/*.{ts,tsx}");
    expect(sources.length).toBeGreaterThan(100);
    const naming = sources.filter((file) => readFileSync(file, "utf8").includes("Mayfly"));
    expect(naming).toEqual(["domain/brand.ts"]);
  });

  it("every test that the coverage names is there", () => {
    const rows = readFileSync("docs/coverage.md", "utf8")
      .split("\n")
      .filter((line) => /^\| [A-Z]+-\d+ /.test(line));
    expect(rows.length).toBeGreaterThan(100);
    const lost = rows.flatMap((row) => {
      const [, id = "", , tests = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return tests.split(" <br> ").flatMap((test) => {
        const [, file = "", title = ""] = /^`([^`]+)` (.+)$/.exec(test) ?? [];
        return existsSync(file) && readFileSync(file, "utf8").includes(title.replaceAll("\\|", "|"))
          ? []
          : [`${id}: ${test}`];
      });
    });
    expect(lost).toEqual([]);
  });
});
