import { expect, test } from "vitest";
import { MIB } from "#domain/units.ts";
import { proveCpu } from "../../soak/cpu.ts";

test("the largest request of each transport stays below the platform's CPU limit", { timeout: 300_000 }, async () => {
  const computed = await proveCpu(20 * MIB);
  expect(computed.length).toBeGreaterThan(4);
  for (const { what, cpuMs, limitMs } of computed) {
    expect(cpuMs, what).toBeGreaterThan(0);
    expect(cpuMs, what).toBeLessThan(limitMs);
  }
});
