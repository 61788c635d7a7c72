import { describe, expect, it } from "vitest";
import { DirectProbes } from "#engine/part-sender.ts";

function createProbes() {
  let nowMs = 1_000_000;
  return {
    probes: new DirectProbes(() => nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe("probes of the direct transport", () => {
  it("are due 2, 10, 30 and 60 seconds after the change to the proxy or the last failed probe, and then every 60 [UP-18]", () => {
    const { probes, pass } = createProbes();
    probes.schedule();
    for (const waitMs of [2000, 10_000, 30_000, 60_000, 60_000, 60_000]) {
      pass(waitMs - 1);
      expect(probes.tryStart()).toBe(false);
      pass(1);
      expect(probes.tryStart()).toBe(true);
      probes.fail();
    }
  });

  it("are not due before a part has gone through the server", () => {
    const { probes, pass } = createProbes();
    pass(3_600_000);
    expect(probes.tryStart()).toBe(false);
  });

  it("run one at a time, however long a probe takes", () => {
    const { probes, pass } = createProbes();
    probes.schedule();
    pass(5000);
    expect(probes.tryStart()).toBe(true);
    expect(probes.tryStart()).toBe(false);
    pass(600_000);
    expect(probes.tryStart()).toBe(false);
  });

  it("start the next wait when they fail", () => {
    const { probes, pass } = createProbes();
    probes.schedule();
    pass(2000);
    expect(probes.tryStart()).toBe(true);
    pass(45_000);
    probes.fail();
    pass(9999);
    expect(probes.tryStart()).toBe(false);
    pass(1);
    expect(probes.tryStart()).toBe(true);
  });

  it("keep their longer wait after the direct transport has worked in between", () => {
    const { probes, pass } = createProbes();
    probes.schedule();
    pass(2000);
    probes.tryStart();
    probes.fail();
    pass(10_000);
    expect(probes.tryStart()).toBe(true);
    // The probe has worked; later the direct transport fails again.
    pass(300_000);
    probes.schedule();
    pass(9999);
    expect(probes.tryStart()).toBe(false);
    pass(1);
    expect(probes.tryStart()).toBe(true);
  });
});
