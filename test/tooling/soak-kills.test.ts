import { expect, test } from "vitest";
import { proveKills } from "../../soak/kills.ts";

/** A restart takes up to ten seconds on a busy machine. */
const TIMEOUT_MS = 300_000;

test(
  "nothing acknowledged is lost when the runtime is killed during uploads [HOLD-2]",
  { timeout: TIMEOUT_MS },
  async () => {
    const result = await proveKills({
      seed: 1,
      count: 1,
      uploadsPerTransport: 1,
      waitsForAcknowledgements: true,
      log: () => undefined,
    });
    expect(result.problems).toEqual([]);
    expect(result.kills).toBe(1);
    expect(result.interruptedRequests).toBeGreaterThan(0);
    expect(result.checked.chunks).toBeGreaterThan(0);
    expect(result.checked.parts).toBeGreaterThan(0);
    expect(result.finished).toBeGreaterThanOrEqual(3);
    expect(result.deletions.goneChecked).toBeGreaterThan(0);
    expect(result.deletions.keptChecked).toBeGreaterThan(0);
  },
);
