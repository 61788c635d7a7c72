import { expect, test } from "vitest";
import { MIB } from "#domain/units.ts";
import { proveCpu } from "../../soak/cpu.ts";

/** Only the soak compares CPU time with the limit: on a busy machine a time measured here says nothing. */
test("the CPU soak measures the largest request of each transport", { timeout: 300_000 }, async () => {
  const computed = await proveCpu(20 * MIB);
  expect(computed.filter(({ cpuMs }) => cpuMs > 0)).toEqual([
    { what: "a part through the Worker", cpuMs: expect.any(Number), limitMs: 30_000 },
    { what: "a form", cpuMs: expect.any(Number), limitMs: 30_000 },
    { what: "a chunk", cpuMs: expect.any(Number), limitMs: 30_000 },
    { what: "a download of the largest file", cpuMs: expect.any(Number), limitMs: 30_000 },
    { what: "the hash of the largest file", cpuMs: expect.any(Number), limitMs: 300_000 },
  ]);
});
