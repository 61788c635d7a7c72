import { expect, test } from "vitest";
import { proveKills } from "../../soak/kills.ts";

/** A killed runtime takes up to ten seconds to come back on a busy machine. */
const PATIENCE_MS = 300_000;

test(
  "nothing acknowledged is lost when the runtime is killed twice amid uploads",
  { timeout: PATIENCE_MS },
  async () => {
    const result = await proveKills({ seed: 1, count: 2, uploadsPerRoad: 1, isPatient: true, log: () => undefined });
    expect(result.problems).toEqual([]);
    expect(result.kills).toBe(2);
    expect(result.cutOff).toBeGreaterThan(0);
    expect(result.checked.chunks).toBeGreaterThan(0);
    expect(result.checked.parts).toBeGreaterThan(0);
    expect(result.finished).toBeGreaterThanOrEqual(3);
    expect(result.deletions.goneChecked).toBeGreaterThan(0);
    expect(result.deletions.keptChecked).toBeGreaterThan(0);
  },
);
