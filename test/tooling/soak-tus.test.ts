// @module-tag long
import { expect, test } from "vitest";
import { proveTus } from "../../soak/tus.ts";

/** A restart takes up to ten seconds on a busy machine. */
const TIMEOUT_MS = 300_000;

test(
  "files arrive whole by tus although lines are cut and the runtime is killed [TUS-13]",
  { timeout: TIMEOUT_MS },
  async () => {
    const result = await proveTus({ seed: 1, kills: 1, lanes: 2, maxBytes: 6_000_000, log: () => undefined });
    expect(result.problems).toEqual([]);
    expect(result.kills).toBe(1);
    expect(result.cuts).toBeGreaterThan(0);
    expect(result.offsets).toBeGreaterThan(0);
    expect(result.checksums).toBeGreaterThan(0);
    expect(result.finished).toBeGreaterThanOrEqual(2);
  },
);
