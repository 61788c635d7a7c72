import { expect, test } from "vitest";
import { proveTransfers } from "../../soak/transfers.ts";

/** A restart takes up to ten seconds on a busy machine. */
const TIMEOUT_MS = 300_000;

test(
  "transfers arrive whole although the runtime is killed and devices stop [TRF-30]",
  { timeout: TIMEOUT_MS },
  async () => {
    const result = await proveTransfers({
      seed: 3,
      transfers: 3,
      filesPerTransfer: 100,
      answersBeforeKill: [12, 20],
      log: () => undefined,
    });
    expect(result.problems).toEqual([]);
    expect([result.finished, result.cancelled]).toEqual([2, 1]);
    expect(result.files).toBe(200);
    expect(result.kills).toBeGreaterThan(0);
    expect(result.checked).toBeGreaterThan(0);
    expect(result.stoppedDevices).toBeGreaterThan(0);
  },
);
