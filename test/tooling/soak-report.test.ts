import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  failedInPlaywright,
  failedInVitest,
  type PlaywrightResult,
  type VitestResult,
} from "../../soak/failed-tests.ts";
import { withSection, type Section } from "../../soak/report.ts";

describe("a result of the soak", () => {
  const section: Section = {
    title: "Races",
    text: "Fifty parallel calls.",
    rows: [["rounds", 20]],
    day: "2026-11-28",
    commit: "1a2b3c4d, with changes",
  };
  const written =
    "## Races\n\nFifty parallel calls.\n\n| | |\n| --- | ---: |\n" +
    "| day | 2026-11-28 |\n| commit | 1a2b3c4d, with changes |\n| rounds | 20 |\n";

  it("comes to the end of the document, with its day and its commit", () => {
    expect(withSection("# Soak\n\nResults.\n", section)).toBe(`# Soak\n\nResults.\n\n${written}`);
  });

  it("replaces the one before", () => {
    const document = "# Soak\n\n## Races\n\nOld.\n\n## Races of others\n\nKept.\n";
    expect(withSection(document, section)).toBe(`# Soak\n\n${written}\n## Races of others\n\nKept.\n`);
  });
});

describe("the names of failed tests", () => {
  let folder: string;

  beforeEach(() => {
    mkdirSync(resolve(".tmp"), { recursive: true });
    folder = mkdtempSync(resolve(".tmp/failed-tests-"));
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function run(command: string, args: string[]): unknown {
    const file = join(folder, "result.json");
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
    spawnSync(command, args, { cwd: folder, env });
    return JSON.parse(readFileSync(file, "utf8"));
  }

  it("are those of Vitest, and of its files that cannot be loaded", () => {
    writeFileSync(join(folder, "vitest.config.ts"), "export default {};");
    const lines = ['it("passes", () => {});', 'describe("a group", () => it("fails", () => expect(1).toBe(2)));'];
    writeFileSync(
      join(folder, "some.test.ts"),
      ['import { describe, expect, it } from "vitest";', ...lines].join("\n"),
    );
    writeFileSync(join(folder, "broken.test.ts"), 'throw new Error("not today");');
    const options = ["run", "--root", folder, "--reporter=json", "--outputFile.json=result.json"];
    const result = run("vitest", options) as VitestResult;
    expect(result).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
    expect(failedInVitest(result, folder).sort()).toEqual(["broken.test.ts: not today", "some.test.ts: a group fails"]);
  });

  it("are those of Playwright, and what failed outside of them", { tags: "long" }, () => {
    writeFileSync(join(folder, "playwright.config.ts"), 'export default { reporter: [["json"]] };');
    const lines = [
      'test("passes", () => {});',
      'test.describe("a group", () => test("fails", () => expect(1).toBe(2)));',
    ];
    const imports = 'import { expect, test } from "@playwright/test";';
    writeFileSync(join(folder, "some.spec.ts"), [imports, ...lines].join("\n"));
    const result = run("playwright", ["test"]) as PlaywrightResult;
    expect(result.stats).toMatchObject({ expected: 1, unexpected: 1 });
    expect(failedInPlaywright(result)).toEqual(["some.spec.ts: fails"]);
    writeFileSync(join(folder, "broken.spec.ts"), 'throw new Error("not today");');
    expect(failedInPlaywright(run("playwright", ["test"]) as PlaywrightResult)).toEqual(["Error: not today"]);
  });
});
