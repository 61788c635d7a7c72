import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { SECOND_MS } from "#domain/units.ts";
import { buildPages } from "../scripts/build.ts";
import { report } from "./report.ts";

const RESULTS = ".tmp/long-tests";

/** Of one program. */
interface TestRun {
  name: string;
  ok: boolean;
  passed: number;
  failed: number;
  durationMs: number;
}

/** Whether every test passes that `npm test` leaves out. @throws Error when a run writes no result */
export async function tests(): Promise<boolean> {
  buildPages();
  mkdirSync(RESULTS, { recursive: true });
  const runs = [runVitest(), runPlaywright()];
  const text =
    "The tests that `npm test` leaves out: those of Vitest with the tag `long`, and those in the browser without " +
    "`@everyday`.";
  await report(
    "Tests",
    text,
    runs.flatMap(({ name, passed, failed, durationMs }): [string, string | number][] => [
      [`${name}: passed`, passed],
      [`${name}: failed`, failed],
      [`${name}: duration`, `${(durationMs / SECOND_MS).toFixed(0)} s`],
    ]),
  );
  return runs.every(({ ok }) => ok);
}

function runVitest(): TestRun {
  const file = `${RESULTS}/vitest.json`;
  const options = [
    "run",
    "--tags-filter",
    "long",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ];
  const { ok, durationMs, result } = run("vitest", options, file);
  const { numPassedTests, numFailedTests } = result as { numPassedTests: number; numFailedTests: number };
  return { name: "Vitest", ok: ok && numPassedTests > 0, passed: numPassedTests, failed: numFailedTests, durationMs };
}

function runPlaywright(): TestRun {
  const file = `${RESULTS}/playwright.json`;
  const options = ["test", "--grep-invert", "@everyday", "--reporter=list,json"];
  const { ok, durationMs, result } = run("playwright", options, file);
  const { expected, unexpected } = (result as { stats: { expected: number; unexpected: number } }).stats;
  return { name: "Playwright", ok: ok && expected > 0, passed: expected, failed: unexpected, durationMs };
}

function run(command: string, args: string[], file: string): { ok: boolean; durationMs: number; result: unknown } {
  rmSync(file, { force: true });
  const from = Date.now();
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const { status } = spawnSync(command, args, { stdio: "inherit", env });
  return { ok: status === 0, durationMs: Date.now() - from, result: JSON.parse(readFileSync(file, "utf8")) };
}
