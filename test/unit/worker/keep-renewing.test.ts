import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepRenewing } from "#worker/downloads/keep-renewing.ts";

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(renew: () => Promise<boolean>) {
  const renewals = vi.fn(renew);
  const response = new AbortController();
  const stop = keepRenewing(renewals, response);
  return { renewals, response, stop };
}

describe("a response that sends leased bytes", () => {
  it("renews its lease every three minutes, until it has ended", async () => {
    const { renewals, response, stop } = start(() => Promise.resolve(true));
    await vi.advanceTimersByTimeAsync(24 * 60 * MINUTE);
    expect(renewals).toHaveBeenCalledTimes(480);
    expect(response.signal.aborted).toBe(false);
    stop();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(renewals).toHaveBeenCalledTimes(480);
  });

  it("is cut as soon as the lease has lapsed", async () => {
    const { response } = start(() => Promise.resolve(false));
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(response.signal.aborted).toBe(true);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("unreachable"))],
    ["hangs", () => new Promise<boolean>(() => undefined)],
  ])("is cut six minutes after the last renewal when the gate %s", async (_what, renew) => {
    const { response } = start(renew);
    await vi.advanceTimersByTimeAsync(6 * MINUTE - 1);
    expect(response.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(response.signal.aborted).toBe(true);
  });

  it("goes on when a renewal fails once", async () => {
    let calls = 0;
    const { response } = start(() => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error("unreachable")) : Promise.resolve(true);
    });
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    expect(response.signal.aborted).toBe(false);
  });
});
