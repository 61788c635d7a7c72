import { describe, expect, it } from "vitest";
import { callerNetwork } from "#domain/ip-address.ts";
import { CALL_LIMITS, decideRateLimit, giveBackCalls, type RateLimitRule } from "#domain/rate-limits.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/units.ts";

/** @returns the wait in milliseconds of a call at each of these times */
function waits(rule: RateLimitRule, times: number[]): number[] {
  let calls: number[] = [];
  return times.map((at) => {
    const decision = decideRateLimit(rule, calls, at);
    calls = decision.calls;
    return decision.waitMs;
  });
}

describe("a rate limit", () => {
  const rule: RateLimitRule = { by: "address", maxCalls: 2, windowMs: 1000 };

  it("allows its number of calls in any window, and returns the wait for the next", () => {
    expect(waits(rule, [0, 400, 500, 999])).toEqual([0, 0, 500, 1]);
  });

  it("has a sliding window that is exact to the millisecond", () => {
    expect(waits(rule, [0, 400, 1000, 1001, 1400])).toEqual([0, 0, 0, 399, 0]);
  });

  it("does not count rejected calls", () => {
    expect(waits(rule, [0, 1, 2, 3, 4, 1000])).toEqual([0, 0, 998, 997, 996, 0]);
  });

  it("login by account: after ten calls in 15 minutes, one call per 30 seconds is allowed", () => {
    const [, byAccount] = CALL_LIMITS.login;
    const first = Array.from({ length: 10 }, (_, index) => index * SECOND_MS);
    const after = [10_000, 38_999, 39_000, 39_001, 69_000];
    expect(waits(byAccount, [...first, ...after]).slice(10)).toEqual([29_000, 1, 0, 29_999, 0]);
    expect(byAccount.windowMs).toBe(15 * MINUTE_MS);
  });

  it("unlocking: five tries in five minutes from an address, then one a minute", () => {
    const [byLink] = CALL_LIMITS.unlock;
    const [byAddress] = CALL_LIMITS.unlockAny;
    const times = [0, 1000, 2000, 3000, 4000, 5000, 63_999, 64_000, 64_001];
    expect(waits(byLink, times).slice(4)).toEqual([0, 59_000, 1, 0, 59_999]);
    expect(byLink.windowMs).toBe(5 * MINUTE_MS);
    expect([byAddress.maxCalls, byAddress.windowMs]).toEqual([20, 15 * MINUTE_MS]);
  });

  it("a call that is given back is not counted, and the others are", () => {
    const [byLink] = CALL_LIMITS.unlock;
    expect(giveBackCalls([1, 2, 3], 1)).toEqual([1, 2]);
    expect(giveBackCalls([], 1)).toEqual([]);
    const { calls } = decideRateLimit(byLink, giveBackCalls([0, 1000, 2000, 3000, 4000], 1), 5000);
    expect(calls).toEqual([0, 1000, 2000, 3000, 5000]);
  });

  it("stores no more calls than it compares with", () => {
    const [, byAccount] = CALL_LIMITS.login;
    let calls: number[] = [];
    for (let at = 0; at < 100 * 30_000; at += 30_000) ({ calls } = decideRateLimit(byAccount, calls, at));
    expect(calls.length).toBeLessThanOrEqual(30);
  });
});

describe("a caller", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("at %s is %s", (address, expected) => {
    expect(callerNetwork(address)).toBe(expected);
  });
});
