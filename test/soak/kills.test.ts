import { expect, test } from "vitest";
import { proveKills } from "../../soak/kills.ts";

/** A killed runtime takes up to ten seconds to come back on a busy machine. */
const PATIENCE_MS = 300_000;

test(
  "nothing acknowledged is lost when the runtime is killed three times amid uploads",
  { timeout: PATIENCE_MS },
  async () => {
    const result = await proveKills({ seed: 1, count: 3, uploadsPerRoad: 1, leastAnswers: 30, log: () => undefined });
    expect(result.problems).toEqual([]);
    expect(result.kills).toBe(3);
    expect(result.cutOff).toBeGreaterThan(0);
    expect(result.checked.chunks).toBeGreaterThan(0);
    expect(result.finished).toBeGreaterThanOrEqual(3);
    expect(result.deletions.goneChecked).toBeGreaterThan(0);
    expect(result.deletions.keptChecked).toBeGreaterThan(0);
  },
);
