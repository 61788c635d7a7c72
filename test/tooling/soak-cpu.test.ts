// @module-tag long
import { expect, test } from "vitest";
import { MIB } from "#domain/units.ts";
import { proveCpu } from "../../soak/cpu.ts";

/** Only the soak compares CPU time with the limit: on a busy machine a time measured here says nothing. */
test("the CPU soak measures the largest request of each transport [HOLD-14]", { timeout: 300_000 }, async () => {
  const computed = await proveCpu(20 * MIB);
  expect(computed.filter(({ cpuMs }) => cpuMs <= 0)).toEqual([]);
  expect(computed.map(({ what, limitMs }) => [what, limitMs])).toEqual([
    ["a part through the Worker", 30_000],
    ["a form", 30_000],
    ["a chunk", 30_000],
    ["a download of the largest file", 30_000],
    ["a bite of a large file's hash", 30_000],
  ]);
});
