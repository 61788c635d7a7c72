import { describe, expect, it } from "vitest";
import { DirectProbes } from "#app/features/upload/engine/direct-probes.ts";

/** Probes on a clock that the test puts forward. */
function probes() {
  let nowMs = 1_000_000;
  return {
    due: new DirectProbes(() => nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe("probes of the direct road", () => {
  it("are due 2, 10, 30 and 60 seconds after the road was left or the last one failed, and then every 60", () => {
    const { due, pass } = probes();
    due.schedule();
    for (const waitMs of [2000, 10_000, 30_000, 60_000, 60_000, 60_000]) {
      pass(waitMs - 1);
      expect(due.tryStart()).toBe(false);
      pass(1);
      expect(due.tryStart()).toBe(true);
      due.fail();
    }
  });

  it("are not due before any part has gone through the server", () => {
    const { due, pass } = probes();
    pass(3_600_000);
    expect(due.tryStart()).toBe(false);
  });

  it("run one at a time: while one is under way no other part takes one, however long it lasts", () => {
    const { due, pass } = probes();
    due.schedule();
    pass(5000);
    expect(due.tryStart()).toBe(true);
    expect(due.tryStart()).toBe(false);
    pass(600_000);
    expect(due.tryStart()).toBe(false);
  });

  it("that fail late count their wait from then", () => {
    const { due, pass } = probes();
    due.schedule();
    pass(2000);
    expect(due.tryStart()).toBe(true);
    pass(45_000);
    due.fail();
    pass(9999);
    expect(due.tryStart()).toBe(false);
    pass(1);
    expect(due.tryStart()).toBe(true);
  });

  it("wait no shorter when the road works for a while and breaks again", () => {
    const { due, pass } = probes();
    due.schedule();
    pass(2000);
    due.tryStart();
    due.fail();
    pass(10_000);
    expect(due.tryStart()).toBe(true);
    // This one has worked; later the road breaks again.
    pass(300_000);
    due.schedule();
    pass(9999);
    expect(due.tryStart()).toBe(false);
    pass(1);
    expect(due.tryStart()).toBe(true);
  });
});
