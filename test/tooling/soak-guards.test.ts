// @module-tag long
import { expect, test } from "vitest";
import { proveGuards } from "../../soak/guards.ts";

/** A restart takes up to ten seconds on a busy machine. */
const TIMEOUT_MS = 300_000;

test("download limits and passwords hold although the runtime is killed", { timeout: TIMEOUT_MS }, async () => {
  const result = await proveGuards({
    seed: 1,
    kills: 1,
    links: 1,
    recipientsBeforeKill: [4, 8],
    log: () => undefined,
  });
  expect(result.problems).toEqual([]);
  expect(result.kills).toBe(1);
  expect(result.finished).toBeGreaterThan(0);
  expect(result.refusals).toBeGreaterThan(0);
  expect(result.looks).toBeGreaterThan(0);
});
