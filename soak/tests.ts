import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { SECOND_MS } from "#domain/units.ts";
import { buildPages } from "../scripts/build.ts";
import { failedInPlaywright, failedInVitest, type PlaywrightResult, type VitestResult } from "./failed-tests.ts";
import { report } from "./report.ts";

const RESULTS = ".tmp/long-tests";

/** The result of one program that runs tests. */
interface TestRun {
  name: string;
  ok: boolean;
  passed: number;
  failed: number;
  /** The names of failed tests, and errors outside of tests. */
  failures: string[];
  durationMs: number;
}

/** Runs the tests that `npm test` leaves out. @returns whether all pass @throws Error when one writes no result */
export async function tests(): Promise<boolean> {
  buildPages();
  mkdirSync(RESULTS, { recursive: true });
  const runs = [runVitest(), runPlaywright()];
  const failures = runs.flatMap(({ failures }) => failures.map((failure) => `- \`${failure.replaceAll("`", "'")}\``));
  const text =
    "The tests that `npm test` leaves out: those of Vitest with the tag `long`, and those in the browser without " +
    "`@everyday`.";
  await report(
    "Tests",
    failures.length === 0 ? text : [text, "Failed:", failures.join("\n")].join("\n\n"),
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
  const { ok, durationMs, written } = run("vitest", options, file);
  const result = written as VitestResult;
  const { numPassedTests: passed, numFailedTests: failed } = result;
  return { name: "Vitest", ok: ok && passed > 0, passed, failed, failures: failedInVitest(result), durationMs };
}

function runPlaywright(): TestRun {
  const file = `${RESULTS}/playwright.json`;
  const options = ["test", "--grep-invert", "@everyday", "--reporter=list,json"];
  const { ok, durationMs, written } = run("playwright", options, file);
  const result = written as PlaywrightResult;
  const { expected: passed, unexpected: failed } = result.stats;
  return { name: "Playwright", ok: ok && passed > 0, passed, failed, failures: failedInPlaywright(result), durationMs };
}

/** @param file the file into which the program writes its result */
function run(command: string, args: string[], file: string): { ok: boolean; durationMs: number; written: unknown } {
  rmSync(file, { force: true });
  const from = Date.now();
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const { status } = spawnSync(command, args, { stdio: "inherit", env });
  const durationMs = Date.now() - from;
  return { ok: status === 0, durationMs, written: JSON.parse(readFileSync(file, "utf8")) };
}
